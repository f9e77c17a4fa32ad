import { expect, test } from '@jest/globals';
import { petstore } from '../../support/ops/petstore.ts';

test.each([
  {
    command: 'keys',
    help: `\
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
  },
  {
    command: 'keys create',
    help: `\
Usage: petstore keys create [options]

issue an API key and print it once

Options:
  --stage <stage>   work on a deployed stage (choices: "staging", "prod")
  --local           work on a local run
  --port <port>     the port of the local run (default: 3000)
  --yes             do not ask for confirmation
  --json            print the result as one JSON value
  --name <name>     whom the key is for; keys list shows it
  --read-only       the key lists the inventory, and changes nothing
  --expires <when>  when it expires: 24h, 90d (default: never)
  -h, --help        display help for command
`,
  },
  {
    command: 'keys list',
    help: `\
Usage: petstore keys list [options]

list every key ever issued, the oldest first

Options:
  --stage <stage>  work on a deployed stage (choices: "staging", "prod")
  --local          work on a local run
  --port <port>    the port of the local run (default: 3000)
  --yes            do not ask for confirmation
  --json           print the result as one JSON value
  --active         only the keys that work
  -h, --help       display help for command
`,
  },
  {
    command: 'keys find',
    help: `\
Usage: petstore keys find [options]

read a key, or a text that holds one: whose is it?

Options:
  --stage <stage>  work on a deployed stage (choices: "staging", "prod")
  --local          work on a local run
  --port <port>    the port of the local run (default: 3000)
  --yes            do not ask for confirmation
  --json           print the result as one JSON value
  -h, --help       display help for command
`,
  },
  {
    command: 'keys update',
    help: `\
Usage: petstore keys update [options] <id>

rename a key, or change when it expires

Arguments:
  id                the ID of the key, as keys list shows it

Options:
  --stage <stage>   work on a deployed stage (choices: "staging", "prod")
  --local           work on a local run
  --port <port>     the port of the local run (default: 3000)
  --yes             do not ask for confirmation
  --json            print the result as one JSON value
  --name <name>     its new name
  --expires <when>  its new end: 24h, 90d, or never
  -h, --help        display help for command
`,
  },
  {
    command: 'keys rotate',
    help: `\
Usage: petstore keys rotate [options] <id>

issue a key to replace another; both work during an overlap

Arguments:
  id                    the ID of the key to replace, as keys list shows it

Options:
  --stage <stage>       work on a deployed stage (choices: "staging", "prod")
  --local               work on a local run
  --port <port>         the port of the local run (default: 3000)
  --yes                 do not ask for confirmation
  --json                print the result as one JSON value
  --overlap <duration>  how long both keys work: 30m, 24h, 7d
  --expires <when>      when the new key expires: 24h, 90d, or never (default:
                        it gets the lifetime of the old one)
  -h, --help            display help for command
`,
  },
  {
    command: 'keys revoke',
    help: `\
Usage: petstore keys revoke [options] <id>

end a key for good

Arguments:
  id               the ID of the key, as keys list shows it

Options:
  --stage <stage>  work on a deployed stage (choices: "staging", "prod")
  --local          work on a local run
  --port <port>    the port of the local run (default: 3000)
  --yes            do not ask for confirmation
  --json           print the result as one JSON value
  --now            also empty the stage's authorizer cache, so that every key is
                   checked anew
  -h, --help       display help for command
`,
  },
])('the help of petstore $command', async ({ command, help }) => {
  expect(await petstore([...command.split(' '), '--help'])).toStrictEqual({
    code: 0,
    output: help,
    errors: '',
  });
});
