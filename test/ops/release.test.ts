import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keepAssembly } from '../../infra/assembly/kept-assembly.ts';
import { privateDirectory } from '../../infra/assembly/private-directory.ts';
import { sourceHash } from '../../infra/assembly/source-hash.ts';
import { shiftMinutes } from '../../ops/preflight/before-release.ts';
import { assembly } from '../support/assembly.ts';
import { jsonError } from '../support/aws-reply.ts';
import { type FakeAws, fakeAws } from '../support/fake-aws.ts';
import type { Stack } from '../support/fake-cloudformation.ts';
import { type LocalRun, localRun, temporaryDirectory } from '../support/local-run.ts';
import { type OpsOptions, ops } from '../support/ops.ts';
import { assemblyWith, changedTemplate } from '../support/preflight.ts';
import { resourcesOf, templates } from '../support/synthesized.ts';
import { project } from '../support/tools.ts';

const ofStaging = ['preflight staging', 'deploy staging', 'acceptance staging'];
const ofProd = ['preflight prod', 'confirm prod', 'deploy prod', 'smoke test prod'];
const all = [...ofStaging, ...ofProd];

/** The real commands and the real CDK, in an AWS made of fakes in which each deployed stage is a local run. */
describe('petstore release', () => {
  let staging: LocalRun;
  let prod: LocalRun;
  let aws: FakeAws;
  beforeAll(async () => {
    [staging, prod] = await Promise.all([localRun('--stage', 'staging'), localRun('--stage', 'prod')]);
  });
  /** What is deployed: with another description of a function, and with the base URL of a run. */
  const deployed = (stage: string, { baseUrl }: { baseUrl: string }, more: Partial<Stack> = {}) => {
    const template = JSON.stringify(templates[stage]).replace('GET /inventory', 'GET');
    const stack: Stack = { status: 'UPDATE_COMPLETE', template, outputs: { BaseUrl: baseUrl }, ...more };
    aws.stacks.set(`${stage}-petstore-inventory`, stack);
    return stack;
  };
  beforeEach(async () => {
    aws = await fakeAws();
    deployed('staging', staging);
    deployed('prod', prod);
  });
  afterEach(() => aws.close());

  const release = async (options: string[], { env, ...settings }: OpsOptions = {}) => {
    // PETSTORE_STAGE is for keys and inventory alone: release must not skip a stage by it.
    const keys = { PETSTORE_STAGING_API_KEY: staging.apiKey, PETSTORE_PROD_API_KEY: prod.apiKey };
    const environment = { ...aws.environment, ...keys, PETSTORE_STAGE: 'prod', ...env };
    const ended = await ops(['release', ...options], { env: environment, ...settings });
    for (const secret of [staging.apiKey, prod.apiKey]) {
      expect(ended.output + ended.errors).not.toContain(secret);
    }
    return ended;
  };
  const deployments = () =>
    aws.calls.flatMap((call) => /ExecuteChangeSet (\w+)-petstore-inventory/.exec(call)?.[1] ?? []);
  const lists = () => Promise.all([staging, prod].map(async (run) => (await run.send({ path: '/inventory' })).text));
  const lastLine = (output: string) => output.trimEnd().split('\n').at(-1) ?? '';
  const notBootstrapped = () => aws.replies.set('ssm GetParameter', jsonError('ParameterNotFound', ''));

  test('takes its steps in order, and leaves the data of both stages', async () => {
    const before = await lists();
    const { code, output } = await release(['--app', assembly, '--yes']);

    expect(output.match(/^(release: .*|.* can be deployed\.|.* keeps the contract.*|A release .*)$/gm)).toEqual([
      'A release takes a few minutes for each stage, and 15 more while traffic shifts to the new version.',
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
    expect(deployments()).toEqual(['staging', 'prod']);
    for (const [name, { status, template }] of aws.stacks) {
      const synthesized = templates[name.replace('-petstore-inventory', '')];
      expect([status, JSON.parse(template)]).toEqual(['UPDATE_COMPLETE', synthesized]);
    }
    expect(await lists()).toEqual(before);
    // It runs the CDK and the acceptance suite twice each.
  }, 180_000);

  const failing = (stage: string, run: () => LocalRun) => () => deployed(stage, run(), { isFailing: true });
  /** Deploys the stage as if it were the other. */
  const mixedUp = (stage: string, own: LocalRun, other: LocalRun) => {
    const outputs = { BaseUrl: other.baseUrl };
    const stack = deployed(stage, own, { onDeployed: () => Object.assign(stack, { outputs }) });
  };
  const mustNot = 'must not be deployed: 1 check says stop.';
  const noTerminal = 'prod was not deployed.\nThere is no terminal to ask on. Confirm with --yes.';
  const otherKey = '.* rejects the API key \\(401\\). Is it a key of this stage\\?';
  const again = (stage = '') => `To continue: npx petstore release${stage && ` --stage ${stage}`} --app ${assembly}`;
  const rollBack = 'prod runs the new version; docs/deploy.md says how to roll back.';
  const ofStage = (stage: string, ...more: string[]) => ['--stage', stage, ...more];
  test.each<[string, number, string[], () => unknown, string]>([
    ['preflight staging', 8, [], notBootstrapped, `staging ${mustNot}`],
    ['deploy staging', 8, [], failing('staging', () => staging), 'cdk deploy failed.'],
    ['acceptance staging', 6, ofStage('staging'), () => mixedUp('staging', staging, prod), otherKey],
    ['preflight prod', 8, ofStage('prod', '--yes'), notBootstrapped, `prod ${mustNot}`],
    ['confirm prod', 7, ofStage('prod'), () => {}, noTerminal],
    ['deploy prod', 8, ofStage('prod', '--yes'), failing('prod', () => prod), 'cdk deploy failed.'],
    ['smoke test prod', 6, ofStage('prod', '--yes'), () => mixedUp('prod', prod, staging), otherKey],
  ])('stops at %s', async (step, exitCode, options, fail, error) => {
    fail();
    const { code, output, errors } = await release(['--app', assembly, ...options]);

    const [, stage = ''] = options;
    const steps = { staging: ofStaging, prod: ofProd }[stage] ?? all;
    const [done, notDone] = [steps.slice(0, steps.indexOf(step)), steps.slice(steps.indexOf(step))];
    expect(lastLine(output)).toBe(`release: done: ${done.join(', ') || 'nothing'}; not done: ${notDone.join(', ')}.`);
    const hint = step === 'smoke test prod' ? rollBack : again(stage);
    expect(errors).toMatch(new RegExp(`(^|\\n)petstore: ${step}: ${error}\\n${RegExp.escape(hint)}\\n$`));
    const isDeployed = !/preflight|confirm/.test(step);
    expect(deployments()).toEqual(isDeployed ? [step.split(' ').at(-1)] : []);
    expect(code).toBe(exitCode);
  });

  test('prints one JSON value with --json, and ends after the step in which it is interrupted', async () => {
    const { code, output, errors } = await release(['--app', assembly, '--json'], { signal: AbortSignal.abort() });

    expect(JSON.parse(output)).toEqual({ done: all.slice(0, 1), notDone: all.slice(1) });
    const error = { code: 'interrupted', message: 'Interrupted.', hint: again() };
    expect(JSON.parse(lastLine(errors))).toEqual({ error });
    expect({ code, deployments: deployments() }).toEqual({ code: 130, deployments: [] });
  });

  test('takes what it is not given from what was synthesized before, as preflight does', async () => {
    const hash = sourceHash(project, { ...process.env, HOME: temporaryDirectory, ...aws.environment });
    keepAssembly(assembly, join(privateDirectory(), `every-stage-${hash}`));
    deployed('prod', prod, { template: JSON.stringify(templates.prod) });

    const { output } = await ops(['preflight', '--stage', 'prod'], { env: aws.environment });
    expect(output).toContain('prod-petstore-inventory is up to date: no changes.');
    notBootstrapped();
    const { errors } = await release(['--stage', 'staging']);
    expect(lastLine(errors)).toBe('To continue: npx petstore release --stage staging');
  });

  const choices = "option '--stage <stage>' argument 'x' is invalid. Allowed choices are staging, prod.";
  test.each([
    [['--stage', 'x'], 2, `${choices}\nHelp: npx petstore release --help`],
    [['--app', '/nowhere'], 3, '/nowhere holds no synthesized stage staging. npx cdk synth writes one.'],
  ])('rejects %j before it begins', async (options, code, reason) => {
    expect(await release(options)).toEqual({ code, output: '', errors: `petstore: ${reason}\n` });
    expect(aws.calls).toEqual([]);
  });

  describe('before it deploys', () => {
    let respond: { status: number; body: string };
    const service = createServer((_request, response) => response.writeHead(respond.status).end(respond.body));
    const list = (status: number, body: string) => () => {
      respond = { status, body };
      const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
      deployed('staging', { baseUrl });
      deployed('prod', { baseUrl });
    };
    beforeAll(() => new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve)));
    afterAll(() => service.close().closeAllConnections());

    const failed = () => deployed('staging', staging, { status: 'CREATE_FAILED', template: '{}' });
    const createKey = (stage: string) =>
      `export PETSTORE_${stage.toUpperCase()}_API_KEY=$(npx petstore keys create --name release --stage ${stage})`;
    const deploy = (stage: string) => `npx cdk deploy --no-rollback '${stage}/*' --app ${assembly}`;
    const sample = 'ops/sample-inventory.csv';
    const addStock = `npx petstore inventory import ${sample} --stage staging`;
    const firstOfStaging = [deploy('staging'), createKey('staging'), addStock];
    test.each<[string, () => unknown, NodeJS.ProcessEnv, string[]]>([
      [
        'neither stage is deployed',
        () => aws.stacks.clear(),
        {},
        [...firstOfStaging, deploy('prod'), createKey('prod')],
      ],
      ['the first deployment of staging failed', failed, {}, firstOfStaging],
      ['a key is missing', () => {}, { PETSTORE_PROD_API_KEY: undefined }, [createKey('prod')]],
      ['keys are of no stage', list(401, '{}'), {}, [createKey('staging'), createKey('prod')]],
      ['there is no stock', list(200, '[]'), {}, [addStock]],
      ['nothing can be read', () => {}, { PETSTORE_PROD_API_KEY: '', AWS_ACCESS_KEY_ID: '' }, [createKey('prod')]],
    ])('names the commands that come first if %s', async (_what, prepare, env, commands) => {
      prepare();

      const errors = [
        'petstore: The checks after a deployment need an API key and, in staging, stock. Nothing was deployed.',
        'Run these first:',
        ...commands,
        `npx petstore release --app ${assembly}\n`,
      ];
      expect(await release(['--app', assembly], { env })).toEqual({ code: 6, output: '', errors: errors.join('\n') });
      expect(existsSync(join(project, sample))).toBe(true);
      expect(deployments()).toEqual([]);
    });

    test.each([
      ['a service is broken, which the release may mend', list(500, '')],
      ['a service cannot be reached', () => deployed('staging', { baseUrl: 'http://127.0.0.1:9' })],
    ])('names none if %s', async (_what, prepare) => {
      prepare();
      notBootstrapped();

      expect((await release(['--app', assembly])).errors).toMatch(/^petstore: preflight staging: /);
    });
  });
});

test.each([
  [['LambdaCanary10Percent10Minutes', 'LambdaCanary10Percent15Minutes', 'LambdaAllAtOnce'], 15],
  [['LambdaAllAtOnce', 'LambdaAllAtOnce', 'LambdaAllAtOnce'], 0],
  // The first tenth at once, the last after nine intervals.
  [['LambdaLinear10PercentEvery1Minute', 'LambdaLinear10PercentEvery3Minutes', 'LambdaAllAtOnce'], 27],
])('traffic shifts as long as that of the slowest function: %j', (configurations, minutes) => {
  const template = changedTemplate((changed) => {
    const groups = Object.values(resourcesOf(changed, 'AWS::CodeDeploy::DeploymentGroup'));
    for (const [index, { Properties }] of groups.entries()) {
      Properties.DeploymentConfigName = `CodeDeployDefault.${configurations[index]}`;
    }
  });

  expect(shiftMinutes('prod', assemblyWith(template))).toBe(minutes);
});
