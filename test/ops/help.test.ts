import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { runProgram } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { petstore } from '../support/ops/petstore.ts';

const run = (line: string) => petstore(line.split(' ').filter(Boolean));

const help = {
  petstore: `\
Usage: petstore [options] [command]

Runs and operates the inventory service.

Options:
  -V, --version    output the version number
  -h, --help       display help for command

Commands:
  start [options]  run the service on this machine, from its synthesized
                   template
  keys             issue, list, find, change, rotate and revoke API keys
  inventory        import and export the stock; look at, change or remove one
                   entry
  help [command]   display help for command

Examples:
  npx --no -- petstore start
  npx --no -- petstore keys create --name shop --expires 90d --local
  npx --no -- petstore inventory import pets.csv --stage staging

Exit codes: 0 done, 1 failed, 2 wrong usage
`,
  start: `\
Usage: petstore start [options]

run the service on this machine, from its synthesized template

Options:
  --port <port>     port to listen on; 0 picks a free one (default: 3000)
  --stage <stage>   the stage to run (choices: "staging", "prod", default:
                    "staging")
  --api-key <key>   accept this key, such as one of an earlier start
  --data <dir>      keep tables in a directory (default: in memory, lost on
                    exit)
  --dynamodb <url>  keep tables in a running engine, such as Amazon's DynamoDB
                    Local
  --json-logs       log JSON as in CloudWatch, instead of a readable line per
                    request
  --watch           serve changes in functions/ as they are saved
  --inspect [port]  let debuggers attach to the functions, at this port and the
                    next ones; 0 picks free ones (preset: "9229")
  -h, --help        display help for command
`,
  keys: `\
Usage: petstore keys [options] [command]

issue, list, find, change, rotate and revoke API keys

Options:
  -h, --help             display help for command

Commands:
  create [options]       issue an API key and print it once
  list [options]         list every key ever issued, the oldest first
  find [options]         read a key, or a text that holds one: whose is it?
  update [options] <id>  rename a key, or change when it expires
  rotate [options] <id>  issue a key to replace another; both work during an
                         overlap
  revoke [options] <id>  end a key for good
  help [command]         display help for command

Examples:
  npx --no -- petstore keys create --name shop --expires 90d --stage prod
  npx --no -- petstore keys rotate ID --overlap 24h --stage prod
  npx --no -- petstore keys find --stage prod < leaked.txt
  npx --no -- petstore keys revoke ID --now --stage prod

More: docs/keys.md
`,
  inventory: `\
Usage: petstore inventory [options] [command]

import and export the stock; look at, change or remove one entry

Options:
  -h, --help                display help for command

Commands:
  import [options] <file>   load entries from a file
  export [options]          print every entry, ordered by petId, once all are
                            read
  get [options] <petId>     print one entry
  set [options] <petId>     set the quantity or the status of one entry
  remove [options] <petId>  remove one entry
  help [command]            display help for command

Examples:
  npx --no -- petstore inventory import pets.csv --dry-run --stage prod
  npx --no -- petstore inventory export --stage prod > new.csv
  npx --no -- petstore inventory set 42 --status sold --stage prod

More: docs/stock-and-recovery.md
`,
  'inventory import': `\
Usage: petstore inventory import [options] <file>

load entries from a file

Arguments:
  file                    the file, or - for standard input

Options:
  --stage <stage>         work on a deployed stage (choices: "staging", "prod")
  --local                 work on a local run
  --port <port>           the port of the local run (default: 3000)
  --yes                   do not ask for confirmation
  --json                  print the result as one JSON value
  --on-conflict <action>  what to do with entries that exist with other values
                          (choices: "fail", "skip", "replace", default: "fail")
  --dry-run               check everything and write nothing
  -h, --help              display help for command

The file is in UTF-8: JSON as the API prints it, JSON objects one after the other, or CSV. The first
line of CSV names the columns petId, quantity and status, separated by commas, semicolons or tabs.
Everything is checked and looked up before anything is written. If the import is interrupted, run it
again.
`,
};

test.each([
  { line: '--help', output: help.petstore },
  { line: '-h', output: help.petstore },
  { line: 'help', output: help.petstore },
  { line: 'start --help', output: help.start },
  { line: 'keys --help', output: help.keys },
  { line: 'inventory --help', output: help.inventory },
  { line: 'inventory import --help', output: help['inventory import'] },
  { line: '--version', output: `${manifest.version}\n` },
])('petstore $line', async ({ line, output }) => {
  expect(await run(line)).toStrictEqual({ code: 0, output, errors: '' });
});

test.each([
  { line: '', errors: help.petstore },
  { line: 'keys', errors: help.keys },
  { line: 'inventory', errors: help.inventory },
])('petstore $line without a command is wrong usage, and shows the help', async (row) => {
  expect(await run(row.line)).toStrictEqual({ code: 2, output: '', errors: row.errors });
});

test('help is as wide as the terminal', async () => {
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { columns: 100 });
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  expect(await runProgram(['--help'], { stdin, stdout, stderr, env: {} })).toBe(0);
  expect(stdout.read()).toContain(
    '  start [options]  run the service on this machine, from its synthesized template\n',
  );
});
