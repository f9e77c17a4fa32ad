import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { keepAssembly } from '../../infra/assembly/kept-assembly.ts';
import { privateDirectory } from '../../infra/assembly/private-directory.ts';
import { sourceHash } from '../../infra/assembly/source-hash.ts';
import { serve } from '../support/http/serve.ts';
import { type LocalRun, localRun, temporaryDirectory } from '../support/local/local-run.ts';
import { awsError, type FakeAws, fakeAws } from '../support/ops/fake-aws.ts';
import { type OpsOptions, ops } from '../support/ops/ops.ts';
import { preload } from '../support/process/preload.ts';
import { project } from '../support/process/tools.ts';
import { assembly } from '../support/stack/assembly.ts';
import { templates } from '../support/stack/synthesized.ts';

const ofStaging = ['preflight staging', 'deploy staging', 'acceptance staging'];
const ofProd = ['preflight prod', 'confirm prod', 'deploy prod', 'smoke test prod'];
const all = [...ofStaging, ...ofProd];

/** Returns options with which every Node process first runs this program. */
const preloaded = (program: string): OpsOptions => ({ env: { NODE_OPTIONS: preload(program) } });

/**
 * Returns options that fake the CDK, which takes seconds, for a stage: the fake outputs the base
 * URL of this run.
 */
const quickCdk = (stage: string, { baseUrl }: LocalRun): OpsOptions => {
  const program = `
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
  const environment = { ...aws.environment, ...keys, PETSTORE_STAGE: 'prod', ...env };
  const ended = await ops(['release', ...options], { env: environment, ...settings });
  for (const secret of [staging.apiKey, prod.apiKey]) {
    expect(ended.output + ended.errors).not.toContain(secret);
  }
  return ended;
};
const lists = () =>
  Promise.all([staging, prod].map(async (run) => (await run.send({ path: '/inventory' })).text));
const lastLine = (output: string) => output.trimEnd().split('\n').at(-1) ?? '';
const failing = (call: string, code: string) => (): undefined => {
  aws.replies[call] = awsError(code, 'not now');
};
const notBootstrapped = failing('ssm GetParameter', 'ParameterNotFound');

test('release takes its steps in order, says what they check, and leaves the data of both stages unchanged', async () => {
  const before = await lists();
  const { code, output } = await release(['--app', assembly, '--yes'], quickCdk('prod', prod));

  expect(
    output.match(/^(release: .*|.* can be deployed\.|.* keeps the contract.*|Each stage .*)$/gm),
  ).toEqual([
    'Each stage takes a few minutes, and as long as its deploymentConfig in infra/app.ts shifts traffic.',
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
  const [ofStagingAlone = '', rest] = output.split('preflight prod');
  expect(ofStagingAlone).toContain('✓ accepts {"quantity":9007199254740991}');
  expect(ofStagingAlone).not.toMatch(/skipped|✕/);
  expect(rest).toContain('skipped');
  expect(JSON.parse(aws.stacks.get('staging-petstore-inventory')?.template ?? '')).toEqual(
    templates.staging,
  );
  expect(output).toContain('quick deployment of prod');
  expect(await lists()).toEqual(before);
  // The time limit allows for one run of the CDK and two runs of the acceptance suite.
}, 180_000);

const mustNot = 'staging must not be deployed: 1 check says stop.';
const noTerminal = 'prod was not deployed.\nThere is no terminal to ask on. Confirm with --yes.';
const otherKey = '.* rejects the API key \\(401\\). Is it a key of this stage\\?';
const again = (stage = '') =>
  `To continue: npx --no -- petstore release${stage && ` --stage ${stage}`} --app ${assembly}`;
const rollBack = 'prod runs the new version; docs/deploy.md says how to roll back.';
const ofProdAlone = ['--stage', 'prod', '--yes'];
const unpublished = failing('cloudformation ExecuteChangeSet', 'X');
const interrupted = () => ({ typed: { prompt: /Deploy prod\? \[y\/N\] /, text: '\x03' } });
test.each<[string, number, string[], () => OpsOptions | undefined, string, string]>([
  ['preflight staging', 8, [], notBootstrapped, mustNot, again()],
  ['acceptance staging', 6, ['--yes'], () => quickCdk('staging', prod), otherKey, again()],
  ['confirm prod', 7, [], () => quickCdk('staging', staging), noTerminal, again('prod')],
  ['confirm prod', 130, ['--stage', 'prod'], interrupted, 'prod was not deployed.', again('prod')],
  ['deploy prod', 8, ofProdAlone, unpublished, 'cdk deploy failed.', again('prod')],
  ['smoke test prod', 6, ofProdAlone, () => quickCdk('prod', staging), otherKey, rollBack],
])(
  'release stops at %s with exit code %i',
  async (step, exitCode, options, prepare, error, hint) => {
    const settings = prepare();
    const { code, output, errors } = await release(['--app', assembly, ...options], settings);

    const steps = options.includes('prod') ? ofProd : all;
    const [done, notDone] = [steps.slice(0, steps.indexOf(step)), steps.slice(steps.indexOf(step))];
    expect(lastLine(output)).toBe(
      `release: done: ${done.join(', ') || 'nothing'}; not done: ${notDone.join(', ')}.`,
    );
    expect(errors).toMatch(
      new RegExp(`(^|\\n)petstore: ${step}: ${error}\\n${RegExp.escape(hint)}\\n$`),
    );
    expect(output.match(/quick deployment/g)?.length ?? 0).toBe(settings?.env ? 1 : 0);
    expect(aws.calls.some((call) => call.includes('ExecuteChangeSet'))).toBe(
      step === 'deploy prod',
    );
    expect(code).toBe(exitCode);
  },
);

test('release prints one JSON value with --json, and ends after the step in which it is interrupted', async () => {
  const options = { signal: AbortSignal.abort(), ...quickCdk('staging', staging) };
  const { code, output, errors } = await release(['--app', assembly, '--json'], options);

  expect(JSON.parse(output)).toEqual({ done: all.slice(0, 1), notDone: all.slice(1) });
  const error = { code: 'interrupted', message: 'Interrupted.', hint: again() };
  expect(JSON.parse(lastLine(errors))).toEqual({ error });
  expect(code).toBe(130);
  expect(errors).not.toContain('quick deployment');
});

test('without --app, preflight uses the assembly of an earlier synthesis, and release synthesizes without its keys', async () => {
  const hash = sourceHash(project, {
    ...process.env,
    HOME: temporaryDirectory,
    ...aws.environment,
  });
  keepAssembly(assembly, join(privateDirectory(), `every-stage-${hash}`));
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
const createKey = (stage: string) =>
  `export PETSTORE_${stage.toUpperCase()}_API_KEY=$(npx --no -- petstore keys create --name release --stage ${stage})`;
const deploy = (stage: string) => `npx cdk deploy --no-rollback '${stage}/*' --app ${assembly}`;
const sample = 'ops/sample-inventory.csv';
const addStock = `npx --no -- petstore inventory import ${sample} --stage staging`;
const ofStagingFirst = [deploy('staging'), createKey('staging'), addStock];
const ofBoth = [...ofStagingFirst, deploy('prod'), createKey('prod')];
const unreachable = () => deployed('staging', { baseUrl: 'http://127.0.0.1:9' });
const unreadable = failing('cloudformation DescribeStacks', 'AccessDenied');
test.each<[string, () => unknown, NodeJS.ProcessEnv, string[]]>([
  ['neither stage is deployed', () => aws.stacks.clear(), {}, ofBoth],
  ['the first deployment of staging failed', failed, {}, ofStagingFirst],
  [
    'the stages reject the keys',
    responding(401, '{}'),
    {},
    [createKey('staging'), createKey('prod')],
  ],
  ['there is no stock', responding(200, '[]'), {}, [addStock]],
  ['a key is missing', unreadable, { PETSTORE_PROD_API_KEY: '' }, [createKey('prod')]],
  ['there are no credentials', () => {}, { PETSTORE_PROD_API_KEY: '', AWS_ACCESS_KEY_ID: '' }, []],
  ['a service is broken, which the release may repair', responding(500, ''), {}, []],
  ['a service cannot be reached', unreachable, {}, []],
  ['the stacks cannot be read', unreadable, {}, []],
])(
  'release names the commands to run first, if any, when %s',
  async (_what, prepare, env, commands) => {
    await prepare();
    notBootstrapped();

    const named = [
      'petstore: The checks after a deployment need an API key and, in staging, stock. Nothing was deployed.',
      'Run these first:',
      ...commands,
      `npx --no -- petstore release --app ${assembly}\n`,
    ];
    const begun = {
      code: 8,
      output: expect.any(String),
      errors: expect.stringMatching(/^petstore: preflight staging: /),
    };
    const ended = commands.length > 0 ? { code: 6, output: '', errors: named.join('\n') } : begun;
    expect(await release(['--app', assembly], { env })).toEqual(ended);
    expect(existsSync(join(project, sample))).toBe(true);
  },
);
