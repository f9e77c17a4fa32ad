import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, test } from '@jest/globals';
import { keepAssembly } from '../../../infra/assembly/kept-assembly.ts';
import { keptOf } from '../../../infra/assembly/synthesize.ts';
import { sendRaw } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { type LocalRun, localRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { awsError, type FakeAws, fakeAws } from '../../support/ops/fake-aws.ts';
import { type OpsOptions, ops } from '../../support/ops/ops.ts';
import { withQuickSuite } from '../../support/ops/quick-suite.ts';
import { project } from '../../support/process/tools.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { templates } from '../../support/stack/synthesized.ts';

// Each release adds an exit listener that removes its copy of the assembly.
process.setMaxListeners(100);

const ofStaging = ['preflight staging', 'deploy staging', 'acceptance staging'];
const ofProd = ['preflight prod', 'confirm prod', 'deploy prod', 'smoke test prod'];
const all = [...ofStaging, ...ofProd];

/** Returns options with which every Node process first runs this program. */
const preloaded = (program: string): OpsOptions => ({ env: withQuickSuite(program) });

/**
 * Returns options that fake the CDK, which takes seconds, for a stage: the fake outputs the base
 * URL of this run.
 */
const quickCdk = (stage: string, { baseUrl }: LocalRun, first = ''): OpsOptions => {
  const program = `
    ${first}
    import { writeFileSync } from 'node:fs';
    const { argv } = process;
    if (argv[1].endsWith('/cdk') && argv[3] === '${stage}/*') {
      console.log('quick deployment of ${stage}');
      writeFileSync(argv[argv.indexOf('--outputs-file') + 1], '{"stack":{"BaseUrl":"${baseUrl}"}}');
      process.exit();
    }`;
  return preloaded(program);
};

const [staging, prod] = await Promise.all([
  localRun('--stage', 'staging'),
  localRun('--stage', 'prod'),
]);

// The real commands run against a fake AWS, in which each deployed stage is a local run.
let aws: FakeAws;
/**
 * Adds a deployed stage to the fake AWS. One description in it is outdated, so that there is a
 * change to deploy.
 */
const deployed = (
  stage: string,
  { baseUrl: BaseUrl }: { baseUrl: string },
  more: object = {},
): undefined => {
  const template = JSON.stringify(templates[stage]).replace('GET /inventory', 'GET');
  const stack = { status: 'UPDATE_COMPLETE', template, outputs: { BaseUrl }, ...more };
  aws.stacks.set(`${stage}-petstore-inventory`, stack);
};
beforeEach(async () => {
  aws = await fakeAws();
  deployed('staging', staging);
  deployed('prod', prod);
});

const release = async (options: string[], { env, ...settings }: OpsOptions = {}) => {
  // PETSTORE_STAGE is only for keys and inventory, so release must not skip a stage because of it.
  const keys = { PETSTORE_STAGING_API_KEY: staging.apiKey, PETSTORE_PROD_API_KEY: prod.apiKey };
  const others = { PETSTORE_STAGE: 'prod', ...withQuickSuite() };
  const environment = { ...aws.environment, ...keys, ...others, ...env };
  const ended = await ops(['release', ...options], { env: environment, ...settings });
  for (const secret of [staging.apiKey, prod.apiKey]) {
    expect(ended.output + ended.errors).not.toContain(secret);
  }
  return ended;
};
const lastLine = (output: string) => output.trimEnd().split('\n').at(-1) ?? '';
const failing = (call: string, code: string) => (): undefined => {
  aws.replies[call] = awsError(code, 'not now');
};
const notBootstrapped = failing('ssm GetParameter', 'ParameterNotFound');

/** Prints the names of the API keys that a process of the CDK gets. */
const tellKeys = `
  if (process.argv[1].endsWith('/cdk')) {
    const names = Object.keys(process.env);
    console.error('keys:', names.filter((name) => name.endsWith('_API_KEY')).join());
  }`;

test('release takes its steps in order, and says what they check', async () => {
  const { code, output, errors } = await release(
    ['--app', assembly, '--yes'],
    quickCdk('prod', prod, tellKeys),
  );

  const steps = /^(release: .*|.* can be deployed\.|.* keeps the contract.*|Each stage .*)$/gm;
  expect(output.match(steps)).toEqual([
    'Each stage takes a few minutes, and as long as its deploymentConfig in ' +
      'infra/settings/stages.ts shifts traffic.',
    'release: preflight staging (1 of 7)',
    'staging can be deployed.',
    'release: deploy staging (2 of 7)',
    'release: acceptance staging (3 of 7)',
    `${staging.baseUrl} keeps the contract.`,
    'release: preflight prod (4 of 7)',
    'prod can be deployed.',
    'release: confirm prod (5 of 7)',
    'release: deploy prod (6 of 7)',
    'release: smoke test prod (7 of 7)',
    `${prod.baseUrl} keeps the contract, as far as read-only requests can tell.`,
    `release: done: ${all.join(', ')}; not done: nothing.`,
  ]);
  expect(code).toBe(0);
  // The checks of staging may change entries, those of prod may not.
  const [ofStagingAlone = '', ofProdAlone] = output.split('preflight prod');
  expect(ofStagingAlone).toContain('✓ changes an entry');
  expect(ofProdAlone).toContain('skipped changes an entry');
  // The CDK itself has deployed staging, and neither run of it got an API key.
  const deployedTemplate = aws.stacks.get('staging-petstore-inventory')?.template ?? '';
  expect(JSON.parse(deployedTemplate)).toEqual(templates.staging);
  expect(errors.match(/^keys:.*$/gm)).toEqual(['keys: ', 'keys: ']);
}, 180_000);

const mustNot = 'staging must not be deployed: 1 check says stop.';
const noTerminal = 'prod was not deployed.\nThere is no terminal to ask on. Confirm with --yes.';
const otherKey = '.* rejects the API key \\(401\\). Is it a key of this stage\\?';
const again = (stage = '') =>
  `To continue: npx --no -- petstore release${stage && ` --stage ${stage}`} --app ${assembly}`;
const rollBack = 'prod runs the new version; docs/roll-back.md says how to roll back.';
const ofProdAlone = ['--stage', 'prod', '--yes'];
const unpublished = failing('cloudformation ExecuteChangeSet', 'X');
const interrupted = () => ({ typed: { prompt: /Deploy prod\? \[y\/N\] /, text: '\x03' } });

interface Stop {
  step: string;
  exitCode: number;
  options: string[];
  /** Makes the step fail. */
  prepare: () => OpsOptions | undefined;
  /** The message, as a regular expression. */
  error: string;
  hint: string;
}

const stops: Stop[] = [
  {
    step: 'preflight staging',
    exitCode: 8,
    options: [],
    prepare: notBootstrapped,
    error: mustNot,
    hint: again(),
  },
  {
    step: 'acceptance staging',
    exitCode: 6,
    options: ['--yes'],
    prepare: () => quickCdk('staging', prod),
    error: otherKey,
    hint: again(),
  },
  {
    step: 'confirm prod',
    exitCode: 7,
    options: [],
    prepare: () => quickCdk('staging', staging),
    error: noTerminal,
    hint: again('prod'),
  },
  {
    step: 'confirm prod',
    exitCode: 130,
    options: ['--stage', 'prod'],
    prepare: interrupted,
    error: 'prod was not deployed.',
    hint: again('prod'),
  },
  {
    step: 'deploy prod',
    exitCode: 8,
    options: ofProdAlone,
    prepare: unpublished,
    error: 'cdk deploy failed.',
    hint: again('prod'),
  },
  {
    step: 'smoke test prod',
    exitCode: 6,
    options: ofProdAlone,
    prepare: () => quickCdk('prod', staging),
    error: otherKey,
    hint: rollBack,
  },
];

test.each(stops)('release stops at $step with exit code $exitCode', async (stop) => {
  const { step, exitCode, options, prepare, error, hint } = stop;
  const settings = prepare();
  const { code, output, errors } = await release(['--app', assembly, ...options], settings);

  const steps = options.includes('prod') ? ofProd : all;
  const done = steps.slice(0, steps.indexOf(step));
  const notDone = steps.slice(steps.indexOf(step));
  expect(lastLine(output)).toBe(
    `release: done: ${done.join(', ') || 'nothing'}; not done: ${notDone.join(', ')}.`,
  );
  expect(errors).toMatch(
    new RegExp(`(^|\\n)petstore: ${step}: ${error}\\n${RegExp.escape(hint)}\\n$`),
  );
  // With the quick CDK, one stage is deployed before the release stops.
  expect(output.match(/quick deployment/g)?.length ?? 0).toBe(settings?.env ? 1 : 0);
  expect(code).toBe(exitCode);
});

test('release deploys nothing before its preflight', async () => {
  notBootstrapped();
  await release(['--app', assembly, '--yes']);
  expect(aws.calls.filter((call) => call.includes('ExecuteChangeSet'))).toEqual([]);
});

test('release --json prints one value, and Ctrl-C ends it after the step under way', async () => {
  const options = { signal: AbortSignal.abort(), ...quickCdk('staging', staging) };
  const { code, output, errors } = await release(['--app', assembly, '--json'], options);

  expect(JSON.parse(output)).toEqual({ done: all.slice(0, 1), notDone: all.slice(1) });
  const error = { code: 'interrupted', message: 'Interrupted.', hint: again() };
  expect(JSON.parse(lastLine(errors))).toEqual({ error });
  expect(code).toBe(130);
  expect(errors).not.toContain('quick deployment');
});

test('without --app, preflight uses a kept assembly, and release synthesizes anew', async () => {
  const environment = { ...process.env, HOME: temporaryDirectory, ...aws.environment };
  await keepAssembly(assembly, keptOf('*', environment));
  deployed('prod', prod, { template: JSON.stringify(templates.prod) });

  const { output } = await ops(['preflight', '--stage', 'prod'], { env: aws.environment });
  expect(output).toContain('prod-petstore-inventory is up to date: no changes.');
  const synth = `if (process.argv[2] === 'synth') {
    console.error('told:', Object.keys(process.env).filter((name) => name.endsWith('_API_KEY')));
    process.exit(1);
  }`;
  const errors = 'petstore: cdk synth failed.\ntold: []\n';
  expect(await release([], preloaded(synth))).toEqual({ code: 8, output: '', errors });
});

test('release rejects an --app that holds no assembly before it calls AWS', async () => {
  const errors =
    'petstore: /nowhere holds no synthesized stage staging. npx cdk synth writes one.\n';
  expect(await release(['--app', '/nowhere'])).toEqual({ code: 3, output: '', errors });
  expect(aws.calls).toEqual([]);
});

const responding = (status: number, body: string) => async () => {
  const baseUrl = await serve((_request, response) => response.writeHead(status).end(body));
  deployed('staging', { baseUrl });
  deployed('prod', { baseUrl });
};
const failed = () => deployed('staging', staging, { status: 'CREATE_FAILED', template: '{}' });
const createKey = (stage: string) => {
  const create = `npx --no -- petstore keys create --name release --stage ${stage}`;
  return `export PETSTORE_${stage.toUpperCase()}_API_KEY=$(${create})`;
};
const deploy = (stage: string) => `npx cdk deploy --no-rollback '${stage}/*' --app ${assembly}`;
const sample = 'ops/sample-inventory.csv';
const addStock = `npx --no -- petstore inventory import ${sample} --stage staging`;
const ofStagingFirst = [deploy('staging'), createKey('staging'), addStock];
const ofBoth = [...ofStagingFirst, deploy('prod'), createKey('prod')];
const unreachable = () => deployed('staging', { baseUrl: 'http://127.0.0.1:9' });

interface Missing {
  what: string;
  prepare: () => unknown;
  env?: NodeJS.ProcessEnv;
  commands: string[];
}

const missing: Missing[] = [
  { what: 'neither stage is deployed', prepare: () => aws.stacks.clear(), commands: ofBoth },
  { what: 'the first deployment of staging failed', prepare: failed, commands: ofStagingFirst },
  {
    what: 'the stages reject the keys',
    prepare: responding(401, '{}'),
    commands: [createKey('staging'), createKey('prod')],
  },
  { what: 'there is no stock', prepare: responding(200, '[]'), commands: [addStock] },
  {
    what: 'a key is missing',
    prepare: () => {},
    env: { PETSTORE_PROD_API_KEY: '' },
    commands: [createKey('prod')],
  },
  {
    what: 'a key cannot be sent',
    prepare: () => {},
    env: { PETSTORE_PROD_API_KEY: `Saved:\n${prod.apiKey}` },
    commands: [createKey('prod')],
  },
];

test.each(missing)('release names the commands to run first when $what', async (row) => {
  const { prepare, env = {}, commands } = row;
  await prepare();
  const lines = [
    'petstore: The checks after a deployment need an API key and, in staging, stock. ' +
      'Nothing was deployed.',
    'Run these first:',
    ...commands,
    `npx --no -- petstore release --app ${assembly}\n`,
  ];
  expect(await release(['--app', assembly], { env })).toEqual({
    code: 6,
    output: '',
    errors: lines.join('\n'),
  });
});

test('the sample that release advises to import is there', () => {
  expect(existsSync(join(project, sample))).toBe(true);
});

const noCredentials = { PETSTORE_PROD_API_KEY: '', AWS_ACCESS_KEY_ID: '' };
const leftToPreflight: Omit<Missing, 'commands'>[] = [
  { what: 'there are no credentials', prepare: () => {}, env: noCredentials },
  { what: 'a service is broken, which the release may repair', prepare: responding(500, '') },
  { what: 'a service cannot be reached', prepare: unreachable },
];

test.each(leftToPreflight)('release begins when $what', async ({ prepare, env = {} }) => {
  await prepare();
  notBootstrapped();
  expect(await release(['--app', assembly], { env })).toEqual({
    code: 8,
    output: expect.any(String),
    errors: expect.stringMatching(/^petstore: preflight staging: /),
  });
});

test('release names the denied action alone if it may not read the stacks', async () => {
  const action = 'cloudformation:DescribeStacks';
  const message = `User: operator is not authorized to perform: ${action}`;
  aws.replies['cloudformation DescribeStacks'] = awsError('AccessDenied', message);
  const env = { PETSTORE_STAGING_API_KEY: '', PETSTORE_PROD_API_KEY: '' };
  expect(await release(['--app', assembly], { env })).toEqual({
    code: 6,
    output: '',
    errors: `petstore: These credentials may not do ${action}: ${message}
docs/permissions.md has the policy of an operator. Or set AWS_PROFILE.
`,
  });
});

test('a cdk synth while release runs changes nothing in what it deploys', async () => {
  const app = join(temporaryDirectory, 'synthesized');
  cpSync(assembly, app, { recursive: true });
  // In place of the CDK: another synthesis while staging is deployed, and what prod would get.
  const program = `
    import { existsSync, rmSync, writeFileSync } from 'node:fs';
    const [, cdk, , stages, , assembly] = process.argv;
    if (cdk.endsWith('/cdk') && stages === 'staging/*') {
      rmSync('${app}/assembly-prod', { recursive: true });
      const outputs = process.argv[process.argv.indexOf('--outputs-file') + 1];
      writeFileSync(outputs, '{"stack":{"BaseUrl":"${staging.baseUrl}"}}');
      process.exit();
    } else if (cdk.endsWith('/cdk')) {
      console.log('prod is there:', existsSync(assembly + '/assembly-prod'));
      process.exit(1);
    }`;
  const { output } = await release(['--app', app, '--yes'], preloaded(program));
  expect(output).toContain('\nprod is there: true\n');
}, 120_000);

/** Serves a run until its stack is being updated, and then something else. */
const turningBad = async ({ baseUrl }: LocalRun) => {
  const { origin, pathname } = new URL(baseUrl);
  const url = await serve(async (request, response) => {
    if (aws.stacks.get('prod-petstore-inventory')?.status === 'UPDATE_IN_PROGRESS') {
      return response.writeHead(404).end('{"message":"Not Found"}');
    }
    const { method = '', url: path = '', headers } = request;
    const sent = { method, path, headers: headers as Record<string, string> };
    const received = await sendRaw(origin, { ...sent, body: await buffer(request) });
    return response.writeHead(received.status).end(received.text);
  });
  return { baseUrl: url + pathname };
};

/** In place of the CDK: begins an update, and fails once CloudFormation has rolled it back. */
const waitingCdk = `
  const { argv, env } = process;
  const call = async (Action) => {
    const body = new URLSearchParams({ Action, StackName: 'prod-petstore-inventory' });
    const authorization = 'Credential=CDK/1/eu-west-1/cloudformation/';
    const headers = { authorization };
    return (await fetch(env.AWS_ENDPOINT_URL, { method: 'POST', headers, body })).text();
  };
  if (argv[1].endsWith('/cdk')) {
    await call('ExecuteChangeSet');
    console.error('updating');
    while ((await call('DescribeStacks')).includes('_IN_PROGRESS')) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    process.exit(1);
  }`;

test('a prod that turns bad while it is deployed is rolled back', async () => {
  deployed('prod', await turningBad(prod), { isSlow: true });
  const { code, output, errors } = await release(
    ['--app', assembly, '--stage', 'prod', '--yes'],
    preloaded(waitingCdk),
  );
  expect(aws.stacks.get('prod-petstore-inventory')?.status).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(errors).toContain(`\
petstore: deploy prod: prod answered wrongly twice in a row. \
Its deployment was stopped and rolled back.
Asked:    `);
  expect(errors).toMatch(/\nAnswered: 404 \{"message":"Not Found"\}\nTo continue: .*\n$/);
  expect(lastLine(output)).toBe(
    'release: done: preflight prod, confirm prod; not done: deploy prod, smoke test prod.',
  );
  expect(code).toBe(8);
}, 120_000);

test('an interruption ends the CDK, and says that CloudFormation goes on unwatched', async () => {
  deployed('prod', prod, { isSlow: true });
  const interruption = new AbortController();
  const { code, errors } = await release(['--app', assembly, ...ofProdAlone], {
    ...preloaded(waitingCdk),
    signal: interruption.signal,
    when: { printed: /^updating$/m, react: () => interruption.abort() },
  });
  expect(errors).toBe(`\
updating
petstore: deploy prod: Interrupted. \
If CloudFormation had begun the deployment, it goes on, and nothing watches it.
See how far it is: npx --no -- petstore preflight --stage prod
${again('prod')}
`);
  expect(code).toBe(130);
});
