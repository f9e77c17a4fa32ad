// The commands of a pull request, of the release and of docs/deploy.md run as GitHub and people run
// them. The programs of which they need more than a shell only record how they are called.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { blocksOf, textOf } from './support/docs/markdown.ts';
import { atEnd } from './support/process/at-end.ts';
import { ended } from './support/process/tools.ts';

const directory = mkdtempSync(join(tmpdir(), 'workflows-'));
atEnd(() => rmSync(directory, { recursive: true, force: true }));
// A pattern that is not quoted would become these names.
mkdirSync(join(directory, 'staging/a'), { recursive: true });
mkdirSync(join(directory, 'prod/a'), { recursive: true });

/** Records the call, after the settings that it gets. The call of $FAILS fails. */
const stub = `#!/bin/sh
settings='^(AWS_SESSION_TOKEN|CDK_REQUIRE_APPROVAL|KEY_ACCESS|PETSTORE_API_KEY|PETSTORE_BASE_URL|READ_ONLY)='
printf '%s%s\\n' "$(env | grep -E "$settings" | sort | tr '\\n' ' ')" "\${0##*/} $*" >> calls
case "$*" in
  *' keys create '*' --out '*) for file; do :; done; umask 077; echo NEW_KEY > "$file" ;;
  "$FAILS") echo "$SAYS" >&2; exit 1 ;;
esac
`;
const programs = join(directory, 'bin');
mkdirSync(programs);
for (const name of ['aws', 'chromium', 'curl', 'gh', 'npm', 'npx', 'sh', 'zsh']) {
  writeFileSync(join(programs, name), stub);
  chmodSync(join(programs, name), 0o755);
}

/** Runs a script as a step of GitHub's does. Returns its exit code, and what it has called. */
const shell = async (script: string, env: Record<string, string> = {}) => {
  writeFileSync(join(directory, 'calls'), '');
  const PATH = [programs, process.env.PATH].join(delimiter);
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', script], {
    cwd: directory,
    env: { PATH, HOME: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code } = await ended(child);
  return { code, calls: readFileSync(join(directory, 'calls'), 'utf8') };
};

interface Step {
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

interface Failure {
  /** The arguments of the call that fails. */
  FAILS?: string;
  /** What it says. */
  SAYS?: string;
}

/**
 * Runs the steps of a job up to the first that fails, but for those whose condition, an output of the
 * step before, is not set. Returns what was used and called.
 */
const runJob = async (file: string, job: string, failure: Failure = {}): Promise<string> => {
  const { jobs } = parse(readFileSync(`.github/workflows/${file}`, 'utf8'));
  const outputs = join(directory, 'outputs');
  writeFileSync(outputs, '');
  let done = '';
  for (const { if: condition, uses, run = '', env = {} } of jobs[job].steps as Step[]) {
    if (uses !== undefined) {
      done += `uses ${uses.replace(/@.*/, '')}\n`;
      continue;
    }
    const needed = /^steps\.stack\.outputs\.(\w+)$/.exec(condition ?? '')?.[1];
    if (condition !== undefined && !readFileSync(outputs, 'utf8').includes(`${needed}=true\n`)) {
      continue;
    }
    // An expression stands for its value.
    const filled = Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ (.*?) \}\}/g, '$1'),
    ]);
    const values = { ...failure, ...Object.fromEntries(filled), GITHUB_OUTPUT: outputs };
    const { code, calls } = await shell(run, values);
    done += calls;
    if (code !== 0) {
      break;
    }
  }
  return done;
};

const prepared = `\
uses actions/checkout
uses actions/setup-node
npm ci
`;

const stack = (stage: string): string => `--stack-name ${stage}-petstore-inventory`;
const policyFile = '--stack-policy-body file://infra/stack-policy.json';
const setPolicy = (stage: string) =>
  `cloudformation set-stack-policy ${stack(stage)} ${policyFile}`;

const apiKey = 'PETSTORE_API_KEY=secrets.PETSTORE_API_KEY';
const settings = `${apiKey} PETSTORE_BASE_URL=vars.PETSTORE_BASE_URL`;

const role = 'AWS_SESSION_TOKEN=steps.role.outputs.aws-session-token';

const describe = (stage: string) => `cloudformation describe-stacks ${stack(stage)}`;

/** What a job of a stage does until it has looked whether the stack exists. */
const looked = (stage: string): string => `\
${prepared}\
uses actions/download-artifact
uses aws-actions/configure-aws-credentials
${role} aws ${describe(stage)}
`;

const checked = (stage: string): string => `${looked(stage)}${role} aws ${setPolicy(stage)}\n`;
const deployed = (stage: string): string =>
  `${role} CDK_REQUIRE_APPROVAL=never npx cdk deploy --app cdk.out ${stage}/*\n`;
const accepted = (readOnly: boolean): string =>
  `KEY_ACCESS=write ${settings} READ_ONLY=${readOnly} npm run acceptance\n`;

const list = (key: string, url: string): string =>
  `curl --fail --silent --show-error --output /dev/null --max-time 90 --header Authorization: Bearer ${key} ${url}/inventory`;
const listed = `${settings} ${list('secrets.PETSTORE_API_KEY', 'vars.PETSTORE_BASE_URL')}`;

test.each([
  {
    file: 'release.yml',
    job: 'build',
    what: 'uploads what it has synthesized before anything else runs',
    calls: `\
${prepared}\
npm run synth
uses actions/upload-artifact
npm run types
npm run lint
npm test
`,
  },
  {
    file: 'release.yml',
    job: 'staging',
    what: 'sets the stack policy, lists with its key, deploys the build and tests it',
    calls: `${checked('staging')}${listed}\n${deployed('staging')}${accepted(false)}`,
  },
  {
    file: 'release.yml',
    job: 'prod',
    what: 'does the same, and only reads it',
    calls: `${checked('prod')}${listed}\n${deployed('prod')}${accepted(true)}`,
  },
])('$file, job $job: $what', async ({ file, job, calls }) => {
  expect(await runJob(file, job)).toBe(calls);
});

test('a release of a stack that does not exist yet deploys it, and then tests it', async () => {
  const SAYS = 'Stack with id prod-petstore-inventory does not exist';
  const calls = await runJob('release.yml', 'prod', { FAILS: describe('prod'), SAYS });
  expect(calls).toBe(`${looked('prod')}${deployed('prod')}${accepted(true)}`);
});

const listing = list('secrets.PETSTORE_API_KEY', 'vars.PETSTORE_BASE_URL').replace('curl ', '');

test.each([
  { what: 'stack it may not see', FAILS: describe('prod'), done: looked('prod') },
  { what: 'stack policy it may not set', FAILS: setPolicy('prod'), done: checked('prod') },
  { what: 'stock it cannot list', FAILS: listing, done: `${checked('prod')}${listed}\n` },
])('a release does not deploy to a stage whose $what', async ({ FAILS, done }) => {
  expect(await runJob('release.yml', 'prod', { FAILS, SAYS: 'AccessDenied' })).toBe(done);
});

/** The shell blocks of each section of docs/deploy.md, by its heading. */
const sections: Record<string, string> = Object.fromEntries(
  textOf('docs/deploy.md')
    .split(/^##+ /m)
    .map((section) => [section.split('\n', 1)[0], blocksOf(section, 'sh').join('')]),
);

const baseUrl = 'https://API_ID.execute-api.REGION.amazonaws.com/staging/v1';
const byHand = `PETSTORE_API_KEY=NEW_KEY PETSTORE_BASE_URL=${baseUrl}`;
const [allow] = JSON.parse(readFileSync('infra/stack-policy.json', 'utf8')).Statement;

const savedKey = join(directory, 'staging-key');

const tenUpdates = Array.from(
  { length: 10 },
  (_, index) => `\
curl -s -o out.json -w %{http_code} %{time_pretransfer} %{time_total}\\n -X PATCH /inventory/1 \
-H Authorization: Bearer  -H If-Match: "0-sold" -H Idempotency-Key: try-SECONDS-${index + 1} \
-H Content-Type: application/json -d {"quantity":1}
`,
).join('');

// The release takes the key that the first deployment has saved.
test('the commands of docs/deploy.md, in the order of the page', async () => {
  rmSync(savedKey, { force: true });
  const called: Record<string, string> = {};
  for (const [heading, script] of Object.entries(sections)) {
    const { code, calls } = await shell(script);
    expect({ heading, code }).toStrictEqual({ heading, code: 0 });
    called[heading] = calls.replaceAll(/\b\d{10}\b/g, 'SECONDS');
  }
  expect(called).toStrictEqual({
    '# Deploy': '',
    'First deployment': `\
npm ci
npx cdk bootstrap
npx cdk deploy --no-rollback staging/*
aws cloudformation set-stack-policy ${stack('staging')} ${policyFile}
npx --no -- petstore inventory import ops/sample-inventory.csv --stage staging
npx --no -- petstore keys create --name release --stage staging --out ${savedKey}
KEY_ACCESS=write ${byHand} READ_ONLY=false npm run acceptance
`,
    'Alarms that arrive': `\
aws sns confirm-subscription --topic-arn TOPIC_ARN --token TOKEN \
--authenticate-on-unsubscribe true
aws sns list-subscriptions-by-topic --topic-arn TOPIC_ARN
aws sns get-subscription-attributes --subscription-arn SUBSCRIPTION_ARN \
--query Attributes.ConfirmationWasAuthenticated
aws sns unsubscribe --subscription-arn SUBSCRIPTION_ARN
aws sns subscribe --topic-arn TOPIC_ARN --protocol email \
--notification-endpoint ALARM_EMAIL
aws cloudwatch describe-alarms \
--alarm-name-prefix prod-petstore-inventory-AlarmsServerErrors \
--query MetricAlarms[].AlarmName --output text
aws cloudwatch set-alarm-state --alarm-name NAME --state-value ALARM \
--state-reason a test
`,
    Release: `\
npm ci
npm run synth
${byHand} aws cloudformation set-stack-policy ${stack('staging')} ${policyFile}
${byHand} ${list('NEW_KEY', baseUrl)}
${byHand} npx cdk deploy --app cdk.out staging/*
KEY_ACCESS=write ${byHand} READ_ONLY=false npm run acceptance
`,
    'Release on GitHub': `\
gh api repos/OWNER/REPOSITORY --jq "repo:\\(.owner.login)@\\(.owner.id)/\\(.name)@\\(.id)"
gh api repos/OWNER/REPOSITORY/actions/oidc/customization/sub
`,
    'When a deployment fails': `\
aws cloudformation describe-stacks ${stack('prod')} \
--query Stacks[0].[StackStatus, Outputs[?OutputKey==\`BaseUrl\`].OutputValue] --output text
`,
    'Lift the stack policy': `\
aws cloudformation set-stack-policy ${stack('prod')} \
--stack-policy-body ${JSON.stringify({ Statement: [allow] })}
npx cdk deploy prod/*
aws cloudformation set-stack-policy ${stack('prod')} ${policyFile}
`,
    'Tear down': `\
npx --no -- petstore inventory export --stage prod
aws cloudformation update-termination-protection --no-enable-termination-protection ${stack('prod')}
npx cdk destroy prod/*
aws dynamodb update-table --no-deletion-protection-enabled --table-name NAME
aws dynamodb delete-table --table-name NAME
`,
    'Not tried on AWS yet': `\
${tenUpdates}\
aws cloudwatch describe-alarms --query MetricAlarms[0].Metrics --output json \
--alarm-name-prefix staging-petstore-inventory-AlarmsRefusedClients
aws cloudwatch get-metric-data --metric-data-queries file://out.json \
--start-time SECONDS --end-time SECONDS --query MetricDataResults[].[Id, Values]
`,
  });
  expect(statSync(savedKey).mode & 0o777).toBe(0o600);
});

test('a release by hand stops at a check that fails, also where a shell goes on', async () => {
  writeFileSync(savedKey, 'NEW_KEY\n');
  const FAILS = setPolicy('staging');
  expect(await shell(`set +e\n${sections.Release}`, { FAILS })).toStrictEqual({
    code: 1,
    calls: `npm ci\nnpm run synth\n${byHand} aws ${FAILS}\n`,
  });
});

test('a pull request runs side by side what .ci/run runs one after the other', async () => {
  const script = join(directory, '.ci/run');
  cpSync('.ci/run', script);
  const { jobs } = parse(readFileSync('.github/workflows/pull-request.yml', 'utf8'));
  const { strategy, steps } = jobs.check;
  const command = steps.at(-1).run.replace('.ci/run', script);
  let parts = 'npm ci\n';
  for (const part of strategy.matrix.part) {
    const { code, calls } = await shell(command.replace(/\$\{\{ matrix\.part \}\}/, part));
    expect([code, calls.split('\n', 1)]).toStrictEqual([0, ['npm ci']]);
    parts += calls.replace('npm ci\n', '');
  }
  expect(await shell(script)).toStrictEqual({ code: 0, calls: parts });
  expect(await shell(`${script} unknown`)).toStrictEqual({ code: 2, calls: '' });
});
