// The commands of a release run as GitHub runs them. The programs of which they need more than a shell
// only record how they are called.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { atEnd } from '../support/process/at-end.ts';
import { ended } from '../support/process/tools.ts';

const directory = mkdtempSync(join(tmpdir(), 'release-'));
atEnd(() => rmSync(directory, { recursive: true, force: true }));
// A pattern that is not quoted would become this name.
mkdirSync(join(directory, 'prod/a'), { recursive: true });

/** Records the call, after the settings that it gets. One whose words begin with $FAILS fails. */
const stub = `#!/bin/sh
settings='^(AWS_SESSION_TOKEN|CDK_REQUIRE_APPROVAL|PETSTORE_API_KEY|PETSTORE_BASE_URL)='
printf '%s%s\\n' "$(env | grep -E "$settings" | sort | tr '\\n' ' ')" "\${0##*/} $*" >> calls
case "$*" in "$FAILS"*) echo "$SAYS" >&2; exit 1 ;; esac
`;
const programs = join(directory, 'bin');
mkdirSync(programs);
for (const name of ['aws', 'curl', 'npm', 'npx']) {
  writeFileSync(join(programs, name), stub, { mode: 0o755 });
}

interface Step {
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));

/** Runs a step as GitHub does. An expression stands for its value. Returns the exit code. */
const runStep = async ({ run = '', env = {} }: Step, failure: object) => {
  const values = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\{ (.*?) \}\}/g, '$1'),
  ]);
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', run], {
    cwd: directory,
    env: {
      PATH: [programs, process.env.PATH].join(delimiter),
      GITHUB_OUTPUT: 'outputs',
      FAILS: 'nothing',
      ...failure,
      ...Object.fromEntries(values),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return (await ended(child)).code;
};

/**
 * Runs the steps of the job of prod up to the first that fails, but for those that need an output of a
 * step before. Returns what they have called.
 */
const release = async (failure = {}): Promise<string[]> => {
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');
  for (const file of ['calls', 'outputs']) {
    writeFileSync(join(directory, file), '');
  }
  for (const step of jobs.prod.steps as Step[]) {
    const isMeant = step.if === undefined || read('outputs') === 'exists=true\n';
    if (step.uses === undefined && isMeant && (await runStep(step, failure)) !== 0) {
      break;
    }
  }
  return read('calls').trimEnd().split('\n');
};

const role = 'AWS_SESSION_TOKEN=steps.role.outputs.aws-session-token';
const stack = '--stack-name prod-petstore-inventory';
const policy = '--stack-policy-body file://infra/stack-policy.json';
const service =
  'PETSTORE_API_KEY=secrets.PETSTORE_API_KEY PETSTORE_BASE_URL=vars.PETSTORE_BASE_URL';
const listing =
  '--fail --silent --show-error --output /dev/null --max-time 90 ' +
  '--header Authorization: Bearer secrets.PETSTORE_API_KEY vars.PETSTORE_BASE_URL/inventory';

/** What a release calls, in order. */
const calls = [
  'npm ci',
  `${role} aws cloudformation describe-stacks ${stack}`,
  `${role} aws cloudformation set-stack-policy ${stack} ${policy}`,
  `${service} curl ${listing}`,
  `${role} CDK_REQUIRE_APPROVAL=never npx cdk deploy --app cdk.out prod/*`,
  `${service} npm run acceptance`,
];

test('a release sets the stack policy, lists with its key, deploys the build and checks it', async () => {
  expect(await release()).toStrictEqual(calls);
});

test('a release of a stack that does not exist yet deploys it, and then checks it', async () => {
  const SAYS = 'Stack with id prod-petstore-inventory does not exist';
  const FAILS = 'cloudformation describe-stacks';
  expect(await release({ FAILS, SAYS })).toStrictEqual(calls.toSpliced(2, 2));
});

test.each([
  { what: 'stack it may not see', FAILS: 'cloudformation describe-stacks', last: 1 },
  { what: 'stack policy it may not set', FAILS: 'cloudformation set-stack-policy', last: 2 },
  { what: 'stock it cannot list', FAILS: '--fail', last: 3 },
])('a release does not deploy to a stage whose $what', async ({ FAILS, last }) => {
  expect(await release({ FAILS, SAYS: 'AccessDenied' })).toStrictEqual(calls.slice(0, last + 1));
});

test('the job of staging has the commands of that of prod', () => {
  const ofProd = JSON.stringify(jobs.prod.steps).replaceAll(/\bprod\b/g, 'staging');
  const commandsOf = (steps: Step[]) => steps.map(({ run, env = {} }) => ({ run, ...env }));
  expect(commandsOf(jobs.staging.steps)).toStrictEqual(commandsOf(JSON.parse(ofProd)));
});

test('what is deployed was synthesized and uploaded before any test could change it', () => {
  const steps = jobs.build.steps.map(({ uses, run }: Step) => run ?? uses?.replace(/@.*/, ''));
  expect(steps.slice(2)).toStrictEqual([
    'npm ci',
    'npm run synth',
    'actions/upload-artifact',
    'npm run types',
    'npm run lint',
    'npm test',
  ]);
});
