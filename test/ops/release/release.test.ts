import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CliError } from '../../../ops/cli/cli-error.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import type { ReleaseOptions } from '../../../ops/release/release.ts';
import { release } from '../../../ops/release/release.ts';
import { type FakeAws, fakeAws } from '../../support/ops/fake-aws.ts';
import { assemblyOf, tableOf, templateOf } from '../../support/ops/release-assembly.ts';

const app = assemblyOf(templateOf('new'));
const keys = { PETSTORE_STAGING_API_KEY: 'key-of-staging', PETSTORE_PROD_API_KEY: 'key-of-prod' };

let aws: FakeAws;
const outside = process.env;

beforeEach(async () => {
  const outputs = { BaseUrl: 'https://pets.example/v1', Commit: 'old' };
  const stack = { status: 'UPDATE_COMPLETE', outputs, template: templateOf('old') };
  aws = await fakeAws({
    'staging-petstore-inventory': { ...stack },
    'prod-petstore-inventory': { ...stack },
  });
  process.env = { ...outside, ...aws.environment };
});
afterEach(() => {
  process.env = outside;
});

interface Settings {
  env?: NodeJS.ProcessEnv;
  /** What is typed when the command asks. Without it, there is no terminal. */
  typed?: string;
  signal?: AbortSignal;
  /** Runs in place of the CDK. */
  deploy?: (stageName: string) => unknown;
  /** Whether what was deployed keeps the contract. */
  accept?: (baseUrl: string) => boolean;
}

/** Releases with stand-ins for the CDK and the acceptance suite, which both take minutes. */
const released = async (options: ReleaseOptions, settings: Settings = {}) => {
  const { env = keys, typed, deploy = () => {}, accept = () => true } = settings;
  const { signal = new AbortController().signal } = settings;
  const started: unknown[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  stdin.write(typed ?? '');
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal: Terminal = { stdin, stdout, stderr, env, signal };
  const failure = await release(terminal, options, {
    deploy: async ({ stageName, env: given }) => {
      started.push({ deploy: stageName, env: given });
      await deploy(stageName);
      return `https://${stageName}.example/v1`;
    },
    accept: async (_terminal, run) => {
      started.push({ accept: run });
      return accept(run.baseUrl);
    },
  }).then(
    () => undefined,
    ({ code, message, details }: CliError) => ({ code, message, hint: details.hint }),
  );
  stdout.end();
  stderr.end();
  return { started, failure, output: await text(stdout), errors: await text(stderr) };
};

const place = 'account 111122223333, us-east-1';
const deployOf = (stage: string) => ({ deploy: stage, env: {} });
const acceptOf = (stage: string, apiKey: string) => ({
  accept: {
    baseUrl: `https://${stage}.example/v1`,
    apiKey,
    readOnly: stage === 'prod',
    keyAccess: 'write',
  },
});
const ofStaging = [deployOf('staging'), acceptOf('staging', 'key-of-staging')];
const ofProd = [deployOf('prod'), acceptOf('prod', 'key-of-prod')];
const again = (stage = '') => `npx --no -- petstore release${stage} --app ${app}`;

test('release deploys and checks staging, and then prod, and says which commits they run', async () => {
  expect(await released({ app, yes: true })).toEqual({
    started: [...ofStaging, ...ofProd],
    failure: undefined,
    output:
      'staging runs new and keeps the contract. Before, it ran old.\n' +
      'prod runs new and keeps the contract. Before, it ran old.\n',
    errors:
      `release: staging in ${place} runs old, and gets new.\n` +
      `release: prod in ${place} runs old, and gets new.\n`,
  });
});

test('release --json prints one value', async () => {
  const { output } = await released({ app, stage: 'staging', json: true });
  expect(JSON.parse(output)).toEqual([
    {
      stage: 'staging',
      stackName: 'staging-petstore-inventory',
      place,
      commitBefore: 'old',
      commit: 'new',
      baseUrl: 'https://staging.example/v1',
    },
  ]);
});

test('release asks before it deploys prod, and names account, region and stack', async () => {
  const { started, failure, errors } = await released({ app, stage: 'prod' }, { typed: 'y\r' });
  expect(errors).toContain(`Deploy prod-petstore-inventory in ${place}? [y/N] `);
  expect({ started, failure }).toEqual({ started: ofProd, failure: undefined });
});

test.each([
  { reply: 'no', typed: 'n\r', code: 'not_confirmed', message: 'Nothing was changed.' },
  {
    reply: 'Ctrl-C',
    typed: '\x03',
    code: 'interrupted',
    message: 'Interrupted. Nothing was changed.',
  },
])('after $reply, prod is not deployed', async ({ typed, code, message }) => {
  const { started, failure } = await released({ app }, { typed });
  expect(started).toEqual(ofStaging);
  const hint = `Done: staging runs new. To continue: ${again(' --stage prod')}`;
  expect(failure).toEqual({ code, message, hint });
});

const failing = (stage: string) => (deployed: string) => {
  if (deployed.includes(stage)) {
    throw new CliError('failed', 'cdk deploy failed.');
  }
};

test.each([
  {
    fails: 'the deployment of staging',
    settings: { deploy: failing('staging') },
    started: ofStaging.slice(0, 1),
    message: 'cdk deploy failed.',
    hint: `Done: nothing. To continue: ${again()}`,
  },
  {
    fails: 'acceptance of staging',
    settings: { accept: () => false },
    started: ofStaging,
    message: 'https://staging.example/v1 differs from the contract.',
    hint: `Done: staging runs new. To continue: ${again()}`,
  },
  {
    fails: 'the deployment of prod',
    settings: { deploy: failing('prod') },
    started: [...ofStaging, deployOf('prod')],
    message: 'cdk deploy failed.',
    hint: `Done: staging runs new. To continue: ${again(' --stage prod')}`,
  },
  {
    fails: 'acceptance of prod',
    settings: { accept: (baseUrl: string) => baseUrl.includes('staging') },
    started: [...ofStaging, ...ofProd],
    message: 'https://prod.example/v1 differs from the contract.',
    hint: 'prod runs new. Roll back: docs/runbook.md#roll-back',
  },
])('if $fails fails, release says what was done and how to go on', async (row) => {
  const { started, failure } = await released({ app, yes: true }, row.settings);
  expect(started).toEqual(row.started);
  expect(failure).toMatchObject({ message: row.message, hint: row.hint });
});

test('after Ctrl-C, release ends with the step under way', async () => {
  const controller = new AbortController();
  const { started, failure } = await released(
    { app, yes: true },
    { signal: controller.signal, deploy: () => controller.abort() },
  );
  expect(started).toEqual([deployOf('staging')]);
  expect(failure).toMatchObject({ code: 'interrupted' });
});

test.each([
  { what: 'that passed ends release', passed: true, code: 'interrupted' },
  { what: 'that failed is a failure of the service', passed: false, code: 'failed' },
])('after Ctrl-C, a suite $what', async ({ passed, code }) => {
  const controller = new AbortController();
  const accept = () => {
    controller.abort();
    return passed;
  };
  const { started, failure } = await released(
    { app, yes: true },
    { signal: controller.signal, accept },
  );
  expect(started).toEqual(ofStaging);
  expect(failure).toMatchObject({ code });
});

test.each([undefined, '', 'Saved:\nkey-of-prod'])(
  'release deploys nothing without a key of each stage, such as %j',
  async (key) => {
    const env = { ...keys, PETSTORE_PROD_API_KEY: key };
    expect(await released({ app }, { env })).toMatchObject({
      started: [],
      failure: {
        code: 'usage',
        message: 'PETSTORE_PROD_API_KEY holds no API key, with which prod is checked.',
        hint:
          'export PETSTORE_PROD_API_KEY=' +
          '$(npx --no -- petstore keys create --name release --stage prod)',
      },
    });
    expect(aws.calls).toEqual([]);
  },
);

test('release rejects a directory without an assembly before it calls AWS', async () => {
  const failing = release({ env: keys } as unknown as Terminal, { app: '/nowhere' });
  await expect(failing).rejects.toThrow('/nowhere holds no synthesized stage staging.');
  expect(aws.calls).toEqual([]);
});

test('release stops at a stack that is not at rest, and says how to go on', async () => {
  Object.assign(aws.stacks['prod-petstore-inventory'] ?? {}, { status: 'UPDATE_ROLLBACK_FAILED' });
  const { started, failure } = await released({ app, stage: 'prod', yes: true });
  expect(started).toEqual([]);
  expect(failure).toEqual({
    code: 'failed',
    message: 'prod-petstore-inventory is UPDATE_ROLLBACK_FAILED.',
    hint:
      `Roll it back: npx cdk rollback 'prod/*' --app ${app}\n` +
      `Done: nothing. To continue: ${again(' --stage prod')}`,
  });
});

test('a second fix of a first deployment that replaces a resource: release names it', async () => {
  Object.assign(aws.stacks['prod-petstore-inventory'] ?? {}, {
    status: 'UPDATE_FAILED',
    outputs: {},
    template: templateOf('old', tableOf('id')),
  });
  const { failure } = await released({ app, stage: 'prod', yes: true });
  expect(failure).toMatchObject({
    message:
      'prod-petstore-inventory is UPDATE_FAILED. ' +
      'The CDK will ask, because this replaces Inventory.',
    hint: expect.stringContaining('answer no, and never use --force'),
  });
});

test('release stops at a deployment that loses data or what clients call', async () => {
  Object.assign(aws.stacks['prod-petstore-inventory'] ?? {}, {
    template: templateOf('old', tableOf('id')),
  });
  const { started, failure } = await released({ app, stage: 'prod', yes: true });
  expect(started).toEqual([]);
  expect(failure).toMatchObject({
    code: 'failed',
    message: 'The deployment of prod replaces Inventory (AWS::DynamoDB::GlobalTable).',
    hint: expect.stringContaining(`If that is meant: npx cdk deploy 'prod/*' --app ${app}\n`),
  });
});
