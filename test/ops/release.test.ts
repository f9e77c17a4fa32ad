import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readSynthesizedStack } from '../../ops/preflight/assembly.ts';
import { assembly } from '../support/assembly.ts';
import { runCommand } from '../support/command.ts';
import { type FakeAws, fakeAws, jsonError } from '../support/fake-aws.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';

const stackOf = (stage: string) => `${stage}-petstore-inventory`;

/** The real commands and the real CDK, in an AWS made of fakes in which each deployed stage is a local run. */
describe('npm run release', () => {
  let staging: LocalRun;
  let prod: LocalRun;
  let aws: FakeAws;
  beforeAll(async () => {
    staging = await localRun('--stage', 'staging');
    prod = await localRun('--stage', 'prod');
  }, 180_000);
  beforeEach(async () => {
    aws = await fakeAws();
    aws.outputs.set(stackOf('staging'), { BaseUrl: staging.baseUrl });
    aws.outputs.set(stackOf('prod'), { BaseUrl: prod.baseUrl });
  });
  afterEach(() => aws.close());

  const release = async (options: string[], environment: Record<string, string> = {}, input = '') => {
    const keys = { PETSTORE_STAGING_API_KEY: staging.apiKey, PETSTORE_PROD_API_KEY: prod.apiKey };
    const { code, output, errors } = await runCommand(
      'release',
      options,
      { ...aws.environment, ...keys, ...environment },
      input,
    );
    for (const secret of [staging.apiKey, prod.apiKey]) {
      expect(output + errors).not.toContain(secret);
    }
    return {
      code,
      steps: [...output.matchAll(/^release: (.*) \(\d of \d\)$/gm)].map(([, name]) => name),
      lastLine: (code === 0 ? output : errors).trimEnd().split('\n').at(-1),
      output,
    };
  };
  const deployedStacks = () =>
    aws.calls.filter((call) => call.includes('ExecuteChangeSet')).map((call) => call.split(' ').at(-1));
  const lists = async () => [
    (await staging.send({ path: '/inventory' })).text,
    (await prod.send({ path: '/inventory' })).text,
  ];

  const all = [
    'preflight staging',
    'deploy staging',
    'acceptance staging',
    'preflight prod',
    'confirm prod',
    'deploy prod',
    'smoke test prod',
  ];

  test('takes its steps in order, from one synthesized assembly, and leaves the data of both stages', async () => {
    const before = await lists();
    const { code, steps, lastLine, output } = await release([], {}, 'prod\n');

    expect(lastLine).toBe(`release: done: synth, ${all.join(', ')}.`);
    expect({ code, steps }).toEqual({ code: 0, steps: ['synth', ...all] });
    expect(output.match(/^(preflight|acceptance): .*$/gm)).toEqual([
      'preflight: staging can be deployed.',
      `acceptance: ${staging.baseUrl} keeps the contract.`,
      'preflight: prod can be deployed.',
      `acceptance: ${prod.baseUrl} keeps the contract, as far as can be told without changing it.`,
    ]);
    expect(deployedStacks()).toEqual([stackOf('staging'), stackOf('prod')]);
    for (const stage of ['staging', 'prod']) {
      const { template } = readSynthesizedStack(join(import.meta.dirname, '../../cdk.out'), stage);
      const stack = aws.stacks.get(stackOf(stage));
      expect(stack?.status).toBe('CREATE_COMPLETE');
      expect(JSON.parse(stack?.template ?? '')).toEqual(template);
    }
    expect(await lists()).toEqual(before);
  }, 180_000);

  const stopped = (steps: string[], step: string, hint = '') => {
    const index = steps.indexOf(step);
    const done = steps.slice(0, index).join(', ') || 'nothing';
    const open = steps.slice(index + 1).join(', ') || 'nothing';
    return `release: stopped at "${step}". Done: ${done}. Not done: ${open}.${hint}`;
  };
  const expectStopped = async (step: string, environment: Record<string, string> = {}) => {
    const { code, steps, lastLine } = await release(['--app', assembly], environment);
    expect(lastLine).toBe(stopped(all, step));
    expect({ code, steps }).toEqual({ code: 1, steps: all.slice(0, all.indexOf(step) + 1) });
  };

  test('deploys nothing if the preflight of staging stops', async () => {
    aws.replies.set('ssm GetParameter', jsonError('ParameterNotFound', ''));

    await expectStopped('preflight staging');
    expect(deployedStacks()).toEqual([]);
  });

  test('checks nothing if staging cannot be deployed', async () => {
    aws.failing.add(stackOf('staging'));

    await expectStopped('deploy staging');
    expect(deployedStacks()).toEqual([stackOf('staging')]);
  });

  test('does not touch prod if staging fails its acceptance', async () => {
    aws.outputs.set(stackOf('staging'), { BaseUrl: prod.baseUrl });

    await expectStopped('acceptance staging');
    expect(aws.calls.filter((call) => call.includes(stackOf('prod')))).toEqual([]);
  });

  describe('--stage prod', () => {
    const ofProd = all.slice(all.indexOf('preflight prod'));

    test('is not asked for if the preflight stops', async () => {
      const old = JSON.stringify(readSynthesizedStack(assembly, 'prod').template).replaceAll(
        'InventoryTable',
        'OldTable',
      );
      aws.stacks.set(stackOf('prod'), { status: 'CREATE_COMPLETE', template: old });

      const { code, steps, lastLine } = await release(['--app', assembly, '--stage', 'prod', '--yes']);
      expect(lastLine).toBe(stopped(ofProd, 'preflight prod'));
      expect({ code, steps }).toEqual({ code: 1, steps: ofProd.slice(0, 1) });
      expect(deployedStacks()).toEqual([]);
    });

    test.each(['no\n', 'y\n', ''])('is not deployed after the answer %j', async (input) => {
      const { code, lastLine } = await release(['--app', assembly, '--stage', 'prod'], {}, input);

      expect(lastLine).toBe(stopped(ofProd, 'confirm prod'));
      expect(code).toBe(1);
      expect(deployedStacks()).toEqual([]);
    });

    test('is not smoke-tested if it is rolled back', async () => {
      aws.failing.add(stackOf('prod'));

      const { code, steps, lastLine } = await release(['--app', assembly, '--stage', 'prod', '--yes']);
      expect(lastLine).toBe(stopped(ofProd, 'deploy prod'));
      expect({ code, steps }).toEqual({ code: 1, steps: ofProd.slice(0, 3) });
    });

    test('fails with a word on the way back if the smoke test does', async () => {
      aws.outputs.set(stackOf('prod'), { BaseUrl: staging.baseUrl });

      const { code, lastLine } = await release(['--app', assembly, '--stage', 'prod', '--yes']);
      const hint = ' prod runs the new version; README.md says how to roll back.';
      expect(lastLine).toBe(stopped(ofProd, 'smoke test prod', hint));
      expect(code).toBe(1);
      expect(deployedStacks()).toEqual([stackOf('prod')]);
    });
  });

  const missing = (name: string, stage: string) =>
    `${name} is not set: the checks after the deployment need an API key of ${stage}.`;
  test.each([
    [[], { PETSTORE_STAGING_API_KEY: '' }, missing('PETSTORE_STAGING_API_KEY', 'staging')],
    [['--yes'], { PETSTORE_PROD_API_KEY: '' }, missing('PETSTORE_PROD_API_KEY', 'prod')],
    [['--stage', 'production'], {}, '--stage must be staging or prod, not "production".'],
    [['--app', '/nowhere'], {}, '/nowhere is no cloud assembly. npx cdk synth writes one.'],
    [['--nonsense'], {}, "Unknown option '--nonsense'. See npm run release -- --help."],
  ])('refuses %j with %j before it begins', async (options, environment, reason) => {
    const { code, steps, lastLine } = await release(options, environment);

    expect({ code, steps, lastLine }).toEqual({ code: 1, steps: [], lastLine: `release: ${reason}` });
    expect(aws.calls).toEqual([]);
  });
});
