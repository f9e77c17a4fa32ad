import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keepAssembly } from '../../infra/assembly/kept-assembly.ts';
import { privateDirectory } from '../../infra/assembly/private-directory.ts';
import { sourceHash } from '../../infra/assembly/source-hash.ts';
import { shiftMinutes } from '../../ops/preflight/before-release.ts';
import { assembly } from '../support/assembly.ts';
import { jsonError } from '../support/aws-reply.ts';
import { type FakeAws, fakeAws } from '../support/fake-aws.ts';
import { type LocalRun, localRun, temporaryDirectory } from '../support/local-run.ts';
import { type OpsOptions, ops } from '../support/ops.ts';
import { templates } from '../support/synthesized.ts';
import { project } from '../support/tools.ts';

const stackOf = (stage: string) => `${stage}-petstore-inventory`;
/** What a stage had before: another description of a function. */
const previous = (stage: string) => JSON.stringify(templates[stage]).replace('GET /inventory', 'GET');

/** The real commands and the real CDK, in an AWS made of fakes in which each deployed stage is a local run. */
describe('petstore release', () => {
  let staging: LocalRun;
  let prod: LocalRun;
  let aws: FakeAws;
  beforeAll(async () => {
    [staging, prod] = await Promise.all([localRun('--stage', 'staging'), localRun('--stage', 'prod')]);
  });
  beforeEach(async () => {
    aws = await fakeAws();
    for (const [stage, { baseUrl }] of Object.entries({ staging, prod })) {
      aws.outputs.set(stackOf(stage), { BaseUrl: baseUrl });
      aws.stacks.set(stackOf(stage), { status: 'UPDATE_COMPLETE', template: previous(stage) });
    }
  });
  afterEach(() => aws.close());

  const release = async (options: string[], { env, ...settings }: OpsOptions = {}) => {
    // It is for keys and inventory alone: release must not skip a stage by it.
    const own = {
      PETSTORE_STAGING_API_KEY: staging.apiKey,
      PETSTORE_PROD_API_KEY: prod.apiKey,
      PETSTORE_STAGE: 'prod',
    };
    const ended = await ops(['release', ...options], { env: { ...aws.environment, ...own, ...env }, ...settings });
    for (const secret of [staging.apiKey, prod.apiKey]) {
      expect(ended.output + ended.errors).not.toContain(secret);
    }
    return ended;
  };
  const deployedStacks = () =>
    aws.calls.filter((call) => call.includes('ExecuteChangeSet')).map((call) => call.split(' ').at(-1));
  const lists = () => Promise.all([staging, prod].map(async (run) => (await run.send({ path: '/inventory' })).text));

  const ofStaging = ['preflight staging', 'deploy staging', 'acceptance staging'];
  const ofProd = ['preflight prod', 'confirm prod', 'deploy prod', 'smoke test prod'];
  const all = [...ofStaging, ...ofProd];

  test('takes its steps in order, and leaves the data of both stages', async () => {
    const before = await lists();
    const { code, output } = await release(['--app', assembly, '--yes']);

    expect(output.match(/^(release: .*|.* can be deployed\.|.* keeps the contract.*|A release .*)$/gm)).toEqual([
      `A release takes a few minutes for each stage, and ${shiftMinutes('prod', assembly)} more while traffic shifts to the new version.`,
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
    expect(deployedStacks()).toEqual([stackOf('staging'), stackOf('prod')]);
    for (const stage of ['staging', 'prod']) {
      const { status, template = '' } = aws.stacks.get(stackOf(stage)) ?? {};
      expect(status).toBe('UPDATE_COMPLETE');
      expect(JSON.parse(template)).toEqual(templates[stage]);
    }
    expect(await lists()).toEqual(before);
    // It runs the CDK and the acceptance suite twice each.
  }, 180_000);

  const again = (stage = '') => `To continue: npx petstore release${stage && ` --stage ${stage}`} --app ${assembly}`;
  const stopped = (steps: string[], step: string, error: string) => ({
    lastLine: `release: done: ${steps.slice(0, steps.indexOf(step)).join(', ') || 'nothing'}; not done: ${steps.slice(steps.indexOf(step)).join(', ')}.`,
    errors: expect.stringMatching(new RegExp(`(^|\\n)petstore: ${step}: ${error}\\n$`)),
  });
  const lastLine = (output: string) => output.trimEnd().split('\n').at(-1);
  const inProd = ['--stage', 'prod', '--yes'];

  test.each<[string, number, string[], () => unknown, string, string[]]>([
    [
      'preflight staging',
      8,
      [],
      () => aws.replies.set('ssm GetParameter', jsonError('ParameterNotFound', '')),
      'staging must not be deployed: 1 check says stop.\nTo continue: .*',
      [],
    ],
    [
      'deploy staging',
      8,
      [],
      () => aws.failing.add(stackOf('staging')),
      'cdk deploy failed.\nTo continue: .*',
      ['staging'],
    ],
    [
      'acceptance staging',
      6,
      ['--stage', 'staging'],
      () => aws.deploying.set(stackOf('staging'), () => aws.outputs.set(stackOf('staging'), { BaseUrl: prod.baseUrl })),
      '.* rejects the API key \\(401\\). Is it a key of this stage\\?\nTo continue: .* --stage staging .*',
      ['staging'],
    ],
    [
      'preflight prod',
      8,
      inProd,
      () => aws.stacks.set(stackOf('prod'), { status: 'UPDATE_FAILED', template: previous('prod') }),
      'prod must not be deployed: 1 check says stop.\nTo continue: .* --stage prod .*',
      [],
    ],
    [
      'confirm prod',
      7,
      ['--stage', 'prod'],
      () => {},
      'prod was not deployed.\nThere is no terminal to ask on. Confirm with --yes.\nTo continue: .* --stage prod .*',
      [],
    ],
    ['deploy prod', 8, inProd, () => aws.failing.add(stackOf('prod')), 'cdk deploy failed.\nTo continue: .*', ['prod']],
    [
      'smoke test prod',
      6,
      inProd,
      () => aws.deploying.set(stackOf('prod'), () => aws.outputs.set(stackOf('prod'), { BaseUrl: staging.baseUrl })),
      '.* rejects the API key .*\nprod runs the new version; docs/deploy.md says how to roll back.',
      ['prod'],
    ],
  ])('stops at %s', async (step, exitCode, options, fail, error, stages) => {
    fail();
    const steps = options[1] === 'prod' ? ofProd : options[1] === 'staging' ? ofStaging : all;

    const { code, output, errors } = await release(['--app', assembly, ...options]);
    expect({ lastLine: lastLine(output), errors }).toEqual(stopped(steps, step, error));
    expect(code).toBe(exitCode);
    expect(deployedStacks()).toEqual(stages.map(stackOf));
  });

  test('prints one JSON value with --json, and ends after the step in which it is interrupted', async () => {
    const signal = AbortSignal.abort();
    const { code, output, errors } = await release(['--app', assembly, '--json'], { signal });

    expect(JSON.parse(output)).toEqual({ done: all.slice(0, 1), notDone: all.slice(1) });
    const error = { code: 'interrupted', message: 'Interrupted.', hint: again() };
    expect(JSON.parse(lastLine(errors) ?? '')).toEqual({ error });
    expect(code).toBe(130);
    expect(deployedStacks()).toEqual([]);
  });

  test('takes what it is not given from what was synthesized before, as preflight does', async () => {
    const hash = sourceHash(project, { ...process.env, HOME: temporaryDirectory, ...aws.environment });
    keepAssembly(assembly, join(privateDirectory(), `every-stage-${hash}`));
    for (const stage of ['staging', 'prod']) {
      aws.stacks.set(stackOf(stage), { status: 'UPDATE_COMPLETE', template: JSON.stringify(templates[stage]) });
    }

    const { output } = await ops(['preflight', '--stage', 'prod'], { env: aws.environment });
    expect(output).toContain(`${stackOf('prod')} is up to date: no changes.`);
    aws.replies.set('ssm GetParameter', jsonError('ParameterNotFound', ''));
    expect((await release(['--stage', 'staging'])).errors).toMatch(
      /\nTo continue: npx petstore release --stage staging\n$/,
    );
  });

  test.each([
    [['--stage', 'production'], 2, /argument 'production' is invalid\. .*\nHelp: npx petstore release --help\n$/],
    [['--nonsense'], 2, /unknown option '--nonsense'\nHelp: npx petstore release --help\n$/],
    [
      ['--app', '/nowhere'],
      3,
      /^petstore: \/nowhere holds no synthesized stage staging\. npx cdk synth writes one\.\n$/,
    ],
  ])('rejects %j before it begins', async (options, exitCode, error) => {
    const { code, output, errors } = await release(options);

    expect({ code, output, errors }).toEqual({ code: exitCode, output: '', errors: expect.stringMatching(error) });
    expect(aws.calls).toEqual([]);
  });
});
