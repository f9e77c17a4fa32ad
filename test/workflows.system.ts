// The commands of the release, of the check of prod and of docs/deploy.md run as GitHub and people
// run them. The AWS CLI, npm, npx and gh only record how they are called; check-stage is real.
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createApiKey } from '../functions/keys/api-key.ts';
import { blocksOf, textOf } from './support/docs/markdown.ts';
import { atEnd } from './support/process/at-end.ts';
import { ended, project } from './support/process/tools.ts';

const directory = mkdtempSync(join(tmpdir(), 'workflows-'));
const [programs, checkout, home] = ['bin', 'checkout', 'home'].map((name) => {
  const path = join(directory, name);
  mkdirSync(path);
  return path;
}) as [string, string, string];
const calls = join(directory, 'calls');
atEnd(() => rmSync(directory, { recursive: true, force: true }));

for (const name of ['functions', 'infra', 'node_modules', 'node-24.cjs', 'ops', 'package.json']) {
  symlinkSync(join(project, name), join(checkout, name));
}
// A pattern that is not quoted would become these names.
mkdirSync(join(checkout, 'staging/a'), { recursive: true });
mkdirSync(join(checkout, 'prod/a'), { recursive: true });

const stub = `#!/bin/sh
settings='^(CDK_REQUIRE_APPROVAL|KEY_ACCESS|PETSTORE_API_KEY|PETSTORE_BASE_URL|READ_ONLY)='
{ env | grep -E "$settings" | sort | tr '\\n' ' '
  printf %s "\${0##*/}"; printf ' [%s]' "$@"; echo
} >> "$CALLS"
case "\${0##*/} $*" in
  'aws cloudformation describe-stacks'*) printf %s "$STACKS"; exit "$STACKS_EXIT" ;;
  'aws cloudformation get-stack-policy'*) printf %s "$POLICY" ;;
  *' keys create '*) echo "$NEW_KEY" ;;
  'npm run check-stage'*) exec "$NPM" "$@" ;;
esac
`;
for (const name of ['aws', 'gh', 'npm', 'npx']) {
  writeFileSync(join(programs, name), stub);
  chmodSync(join(programs, name), 0o755);
}

const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();

const keys = { staging: createApiKey('staging'), prod: createApiKey('prod') };
const known = Object.values(keys).map((key) => `Bearer ${key}`);
const service = createServer(({ method, url, headers }, response) => {
  appendFileSync(calls, `${method} ${url}\n`);
  if (url?.startsWith('/gone/')) {
    return response.destroy();
  }
  response.statusCode = known.includes(headers.authorization ?? '') ? 200 : 401;
  if (url?.startsWith('/broken/')) {
    response.statusCode = 503;
  }
  if (url?.startsWith('/moved/')) {
    response.writeHead(302, { Location: '/staging/v1/inventory' });
  }
  response.end('[]');
});
await new Promise((resolve) => service.listen(0, '127.0.0.1', () => resolve(undefined)));
atEnd(() => new Promise((resolve) => service.close(resolve)));
const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

type Stage = keyof typeof keys;
const baseUrlOf = (stage: Stage): string => `${origin}/${stage}/v1`;
const ourPolicy = readFileSync(join(project, 'infra/stack-policy.json'), 'utf8');
const stackId = (stage: Stage): string =>
  `arn:aws:cloudformation:eu-west-1:111122223333:stack/${stage}-petstore-inventory/1`;

/** What the AWS CLI prints about a stage that was deployed. */
const deployed = (stage: Stage, baseUrl = baseUrlOf(stage)) => ({
  STACKS: JSON.stringify({
    Stacks: [
      {
        StackId: stackId(stage),
        Outputs: [
          { OutputKey: 'Commit', OutputValue: '1234abcd' },
          { OutputKey: 'BaseUrl', OutputValue: baseUrl },
        ],
      },
    ],
  }),
  STACKS_EXIT: '0',
  POLICY: JSON.stringify({ StackPolicyBody: ourPolicy }),
});

beforeEach(() => writeFileSync(calls, ''));

const recorded = (): string[] => readFileSync(calls, 'utf8').split('\n').slice(0, -1);

/** Runs a script as a step of GitHub's does. */
const shell = (script: string, env: Record<string, string>) =>
  ended(
    spawn('bash', ['--noprofile', '--norc', '-e', '-c', script], {
      cwd: checkout,
      env: {
        PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: home,
        CALLS: calls,
        NPM: npm,
        // Without the lines with which npm begins to run a script.
        npm_config_loglevel: 'silent',
        ...env,
      },
    }),
  );

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

const stepsOf = (file: string, job: string): Step[] =>
  parse(readFileSync(join(project, '.github/workflows', file), 'utf8')).jobs[job].steps;

/** Runs the steps of a job up to the first that fails. Returns what was called and printed. */
const runJob = async (
  file: string,
  job: string,
  { values, answers }: { values: Record<string, string>; answers: Record<string, string> },
) => {
  let printed = '';
  for (const { uses, run = '', env = {} } of stepsOf(file, job)) {
    if (uses !== undefined) {
      appendFileSync(calls, `uses ${uses.replace(/@.*/, '')}\n`);
      continue;
    }
    const filled = Object.entries(env).map(([name, value]) => [name, filledIn(value, values)]);
    const { code, output, errors } = await shell(run, {
      ...answers,
      ...Object.fromEntries(filled),
    });
    printed += output + errors;
    if (code !== 0) {
      return { calls: recorded(), printed, failed: run };
    }
  }
  return { calls: recorded(), printed, failed: undefined };
};

/** Returns the value that GitHub puts in place of an expression. */
const filledIn = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_whole, name) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`The environment has no ${name}.`);
    }
    return value;
  });

const environmentOf = (stage: Stage, apiKey: string = keys[stage]) => ({
  'vars.PETSTORE_BASE_URL': baseUrlOf(stage),
  'secrets.PETSTORE_API_KEY': apiKey,
});

test('the build of a release uploads what it has synthesized before anything else runs', async () => {
  const { calls } = await runJob('release.yml', 'build', { values: {}, answers: {} });
  expect(calls).toStrictEqual([
    'uses actions/checkout',
    'uses actions/setup-node',
    'npm [ci]',
    'npm [run] [synth]',
    'uses actions/upload-artifact',
    'npm [run] [types]',
    'npm [run] [lint]',
    'npm [test]',
  ]);
});

/** What is called to check a stage: the script, and what it looks at. */
const checked = (stage: Stage): string[] =>
  [
    `npm [run] [check-stage] [${stage}]`,
    `aws [cloudformation] [describe-stacks] [--stack-name] [${stage}-petstore-inventory] [--output] [json]`,
    `GET /${stage}/v1/inventory`,
    `aws [cloudformation] [get-stack-policy] [--stack-name] [${stage}-petstore-inventory] [--output] [json]`,
  ].map((call) => call.replace(/^(?=aws|npm)/, `${settingsOf(stage)} `));
const settingsOf = (stage: Stage): string =>
  `PETSTORE_API_KEY=${keys[stage]} PETSTORE_BASE_URL=${baseUrlOf(stage)}`;

const beforeTheStage = [
  'uses actions/checkout',
  'uses actions/setup-node',
  'npm [ci]',
  'uses actions/download-artifact',
  'uses aws-actions/configure-aws-credentials',
];

test.each([
  { stage: 'staging', readOnly: false },
  { stage: 'prod', readOnly: true },
] as const)('a release checks $stage, deploys the build to it and tests it', async (row) => {
  const { stage, readOnly } = row;
  const job = { values: environmentOf(stage), answers: deployed(stage) };
  expect(await runJob('release.yml', stage, job)).toStrictEqual({
    calls: [
      ...beforeTheStage,
      ...checked(stage),
      `CDK_REQUIRE_APPROVAL=never npx [cdk] [deploy] [--app] [cdk.out] [${stage}/*]`,
      `KEY_ACCESS=write ${settingsOf(stage)} READ_ONLY=${readOnly} npm [run] [acceptance]`,
    ],
    printed: `${stackId(stage)}\nruns commit 1234abcd: what to go back to.\n`,
    failed: undefined,
  });
});

test('the check of prod reads it, with a key that may only read', async () => {
  const values = {
    'vars.PETSTORE_PROD_BASE_URL': baseUrlOf('prod'),
    'secrets.PETSTORE_API_KEY': keys.prod,
  };
  expect(await runJob('check-prod.yml', 'check', { values, answers: {} })).toStrictEqual({
    calls: [
      'uses actions/checkout',
      'uses actions/setup-node',
      'npm [ci]',
      `KEY_ACCESS=read ${settingsOf('prod')} READ_ONLY=true npm [run] [acceptance]`,
    ],
    printed: '',
    failed: undefined,
  });
});

const { Statement } = JSON.parse(ourPolicy);
const policy = (body: object) => ({
  POLICY: JSON.stringify({ StackPolicyBody: JSON.stringify(body) }),
});
const setPolicy = `staging-petstore-inventory does not have the stack policy of \
infra/stack-policy.json. Nothing was deployed.
To set it: aws cloudformation set-stack-policy --stack-name staging-petstore-inventory \
--stack-policy-body file://infra/stack-policy.json
`;
const noKey =
  'PETSTORE_API_KEY is no key of staging: petstore_staging_ and 48 hex digits, ' +
  'the last 8 of them a checksum.\n';
const typo = keys.staging.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

test.each([
  {
    what: 'no stack',
    answers: { STACKS: '', STACKS_EXIT: '254' },
    printed:
      'Command failed: aws cloudformation describe-stacks ' +
      '--stack-name staging-petstore-inventory --output json\n',
  },
  { what: 'no key', apiKey: '', printed: noKey },
  { what: 'a key of prod', apiKey: keys.prod, printed: noKey },
  { what: 'a key with a typo', apiKey: typo, printed: noKey },
  {
    what: 'a key that nobody issued',
    apiKey: createApiKey('staging'),
    printed: 'staging does not know the key in PETSTORE_API_KEY, or it has ended.\n',
  },
  { what: 'no stack policy', answers: { POLICY: '' }, printed: setPolicy },
  {
    what: 'a stack policy that allows everything',
    answers: policy({ Statement: Statement.slice(0, 1) }),
    printed: setPolicy,
  },
  {
    what: 'another base URL',
    baseUrl: baseUrlOf('prod'),
    printed: `PETSTORE_BASE_URL is "${baseUrlOf('prod')}", but staging-petstore-inventory serves ${baseUrlOf('staging')}.\n`,
  },
  {
    what: 'a first deployment that is not finished',
    answers: { STACKS: JSON.stringify({ Stacks: [{ StackId: stackId('staging') }] }) },
    printed: `PETSTORE_BASE_URL is "${baseUrlOf('staging')}", but staging-petstore-inventory serves nothing yet.\n`,
  },
  {
    what: 'a service that fails',
    answers: deployed('staging', `${origin}/broken/v1`),
    baseUrl: `${origin}/broken/v1`,
    printed: `GET ${origin}/broken/v1/inventory responded 503, not 200.\n`,
  },
  {
    // The key would go along to wherever that is.
    what: 'a service that is elsewhere',
    answers: deployed('staging', `${origin}/moved/v1`),
    baseUrl: `${origin}/moved/v1`,
    printed: `GET ${origin}/moved/v1/inventory responded 302, not 200.\n`,
  },
  {
    what: 'a service that does not answer',
    answers: deployed('staging', `${origin}/gone/v1`),
    baseUrl: `${origin}/gone/v1`,
    printed: `GET ${origin}/gone/v1/inventory failed: other side closed\n`,
  },
])('with $what, nothing is deployed', async ({ answers, apiKey, baseUrl, printed }) => {
  const values = environmentOf('staging', apiKey);
  const result = await runJob('release.yml', 'staging', {
    values: { ...values, 'vars.PETSTORE_BASE_URL': baseUrl ?? baseUrlOf('staging') },
    answers: { ...deployed('staging'), ...answers },
  });
  expect(result.printed).toBe(printed);
  expect(result.failed).toBe('npm run check-stage staging');
  expect(result.calls.filter((call) => call.includes('deploy]'))).toStrictEqual([]);
});

test('a check of no stage says how to name one', async () => {
  expect(await shell('npm run check-stage', {})).toMatchObject({
    code: 1,
    errors: 'Say which stage: npm run check-stage staging\n',
  });
});

const [allow, deny] = Statement;
const reordered = { Statement: [Object.fromEntries(Object.entries(allow).toReversed()), deny] };
test.each([
  { what: 'a final newline after the key', apiKey: `${keys.staging}\n` },
  {
    what: 'a byte order mark and Bearer before the key',
    apiKey: `\uFEFFBearer ${keys.staging}\r\n`,
  },
  { what: 'the stack policy with its members in another order', answers: policy(reordered) },
])('$what holds up no release', async ({ apiKey, answers }) => {
  const result = await runJob('release.yml', 'staging', {
    values: environmentOf('staging', apiKey),
    answers: { ...deployed('staging'), ...answers },
  });
  expect(result.failed).toBe(undefined);
});

/** Returns the shell blocks of a section of docs/deploy.md, for the stage of this test. */
const blocksOfSection = (heading: string): string[] => {
  const [, after = ''] = textOf('docs/deploy.md').split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return blocksOf(section, 'sh').map((block) =>
    block.replace(/https:\/\/API_ID\S*\/staging\/v1/, baseUrlOf('staging')),
  );
};

/** Runs shell blocks of the page, each in a shell of its own, and returns what they called. */
const runBlocks = async (blocks: string[], answers: Record<string, string>): Promise<string[]> => {
  for (const block of blocks) {
    expect(await shell(block, answers)).toMatchObject({ code: 0, errors: '' });
  }
  return recorded();
};

const saveKey = () => writeFileSync(join(home, 'staging-key'), `${keys.staging}\n`);

test('a first deployment ends with acceptance and an alarm, and only its owner reads its key', async () => {
  rmSync(join(home, 'staging-key'), { force: true });
  const answers = { ...deployed('staging'), NEW_KEY: keys.staging };
  expect(await runBlocks(blocksOfSection('First deployment'), answers)).toStrictEqual([
    'npm [ci]',
    'npx [cdk] [bootstrap]',
    'npx [cdk] [deploy] [--no-rollback] [staging/*]',
    'aws [cloudformation] [set-stack-policy] [--stack-name] [staging-petstore-inventory] ' +
      '[--stack-policy-body] [file://infra/stack-policy.json]',
    'npx [--no] [--] [petstore] [inventory] [import] [ops/sample-inventory.csv] [--stage] [staging]',
    'npx [--no] [--] [petstore] [keys] [create] [--name] [release] [--stage] [staging]',
    `KEY_ACCESS=write ${settingsOf('staging')} READ_ONLY=false npm [run] [acceptance]`,
    'aws [cloudwatch] [describe-alarms] [--alarm-name-prefix] ' +
      '[prod-petstore-inventory-AlarmsServerErrors] [--query] [MetricAlarms[].AlarmName] ' +
      '[--output] [text]',
    'aws [cloudwatch] [set-alarm-state] [--alarm-name] [NAME] [--state-value] [ALARM] ' +
      '[--state-reason] [a test]',
  ]);
  expect(statSync(join(home, 'staging-key')).mode & 0o777).toBe(0o600);
});

test('a release by hand checks staging, deploys the build to it and tests it', async () => {
  saveKey();
  expect(await runBlocks(blocksOfSection('Release'), deployed('staging'))).toStrictEqual([
    'npm [ci]',
    'npm [run] [synth]',
    ...checked('staging'),
    `${settingsOf('staging')} npx [cdk] [deploy] [--app] [cdk.out] [staging/*]`,
    `KEY_ACCESS=write ${settingsOf('staging')} READ_ONLY=false npm [run] [acceptance]`,
  ]);
});

test('a release by hand stops at a check that fails, also where a shell goes on', async () => {
  saveKey();
  const [block = ''] = blocksOfSection('Release');
  const { code } = await shell(`set +e\n${block}`, { ...deployed('staging'), POLICY: '' });
  expect(code).toBe(1);
  expect(recorded()).toStrictEqual(['npm [ci]', 'npm [run] [synth]', ...checked('staging')]);
});

test('the stack policy is lifted for one deployment, and then set again', async () => {
  const set =
    'aws [cloudformation] [set-stack-policy] [--stack-name] [prod-petstore-inventory] ' +
    '[--stack-policy-body]';
  expect(await runBlocks(blocksOfSection('Lift the stack policy'), {})).toStrictEqual([
    `${set} [${JSON.stringify({ Statement: [allow] })}]`,
    'npx [cdk] [deploy] [prod/*]',
    `${set} [file://infra/stack-policy.json]`,
  ]);
});

test('GitHub is asked for the ids in the subject of its tokens', async () => {
  expect(await runBlocks(blocksOfSection('Release on GitHub'), {})).toStrictEqual([
    'gh [api] [repos/OWNER/REPOSITORY] [--jq] ' +
      '["repo:\\(.owner.login)@\\(.owner.id)/\\(.name)@\\(.id)"]',
    'gh [api] [repos/OWNER/REPOSITORY/actions/oidc/customization/sub]',
  ]);
});
