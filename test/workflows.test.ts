import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Job {
  if?: string;
  needs?: string;
  environment?: string;
  permissions: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  env?: Record<string, string>;
  jobs: Record<string, Job>;
}

const files = globSync(join(import.meta.dirname, '../.github/workflows/*')).sort();
const texts = new Map(files.map((file) => [basename(file), readFileSync(file, 'utf8')]));

const workflow = (name: string) => {
  const text = texts.get(name) ?? '';
  const { jobs, ...rest } = parse(text) as Workflow;
  const ofEachJob = <Value>(value: (job: Job) => Value) =>
    Object.fromEntries(Object.entries(jobs).map(([job, definition]) => [job, value(definition)]));
  const actions = text.match(/uses: .*/g) ?? [];
  return { ...rest, text, ofEachJob, actions };
};

const npm11 = 'npm install --global --ignore-scripts npm@11.21.2';

test('there are two workflows', () => {
  expect([...texts.keys()]).toEqual(['pull-request.yml', 'release.yml']);
});

test.each([...texts.keys()])('%s pins every action to a commit, and keeps no credentials', (name) => {
  const { actions, ofEachJob, env } = workflow(name);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  const steps = Object.values(ofEachJob((job) => job.steps)).flat();
  const used = steps.flatMap(({ uses = [] }) => uses);
  expect(used).toHaveLength(actions.length);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts).toHaveLength(Object.keys(ofEachJob(() => 0)).length);
  expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  expect(env).toBeUndefined();
});

describe('release.yml', () => {
  const { on, permissions, text, ofEachJob, actions } = workflow('release.yml');

  test('is started by hand, and runs from main alone', () => {
    expect(on).toEqual({ workflow_dispatch: null });
    const main = "github.ref == 'refs/heads/main'";
    expect(ofEachJob((job) => job.if)).toEqual({ build: main, staging: main, prod: main });
  });

  test('goes from one build to staging to an approved prod', () => {
    expect(ofEachJob(({ needs, environment }) => ({ needs, environment }))).toEqual({
      build: { needs: undefined, environment: undefined },
      staging: { needs: 'build', environment: 'staging' },
      prod: { needs: 'staging', environment: 'prod' },
    });
  });

  test('runs no install script, promotes what was built, and builds nothing else', () => {
    const install = [npm11, 'npm ci --ignore-scripts'];
    expect(ofEachJob(({ steps }) => steps.flatMap(({ run = [] }) => run))).toEqual({
      build: [...install, 'npm run check'],
      staging: [...install, 'npm run release -- --app cdk.out --stage staging'],
      prod: [...install, 'npm run release -- --app cdk.out --stage prod --yes'],
    });
    const artifacts = ofEachJob(({ steps }) =>
      steps.filter(({ uses }) => /(upload|download)-artifact/.test(uses ?? '')).map((step) => step.with),
    );
    const assembly = { name: 'assembly', path: 'cdk.out' };
    expect(artifacts).toEqual({
      build: [{ ...assembly, 'if-no-files-found': 'error' }],
      staging: [assembly],
      prod: [assembly],
    });
  });

  test('asks for credentials once everything is installed, right before the release', () => {
    const kinds = ofEachJob(({ steps }) => steps.map(({ uses, run = '' }) => uses?.replace(/@.*/, '') ?? run));
    const order = (stage: string, release: string) => ({
      [stage]: [
        'actions/checkout',
        npm11,
        'npm ci --ignore-scripts',
        'actions/download-artifact',
        'aws-actions/configure-aws-credentials',
        release,
      ],
    });
    expect(kinds).toMatchObject({
      ...order('staging', 'npm run release -- --app cdk.out --stage staging'),
      ...order('prod', 'npm run release -- --app cdk.out --stage prod --yes'),
    });
  });

  test('has no permission that it does not need, and no lasting credentials', () => {
    expect(permissions).toEqual({});
    const deploying = { contents: 'read', 'id-token': 'write' };
    expect(ofEachJob((job) => job.permissions)).toEqual({
      build: { contents: 'read' },
      staging: deploying,
      prod: deploying,
    });
    expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.PETSTORE_API_KEY', 'secrets.PETSTORE_API_KEY']);
    expect(actions).toHaveLength(8);
  });
});

describe('pull-request.yml', () => {
  const { on, permissions, text, ofEachJob } = workflow('pull-request.yml');

  test('runs .ci/run on the code of a pull request, which may be anybody’s, and gives it nothing', () => {
    expect(on).toEqual({ pull_request: null });
    expect(permissions).toEqual({});
    expect(ofEachJob((job) => job.permissions)).toEqual({ check: { contents: 'read' } });
    expect(ofEachJob(({ environment }) => environment)).toEqual({ check: undefined });
    expect(text).not.toMatch(/secrets|github\.token|vars\./);
    expect(ofEachJob(({ steps }) => steps.flatMap(({ run = [] }) => run))).toEqual({ check: [npm11, '.ci/run'] });
  });
});
