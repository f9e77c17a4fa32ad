import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Json } from './support/stack/template.ts';

const folder = join(import.meta.dirname, '../.github/workflows');
const read = (file: string) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return { text, ...parse(text) };
};
const [release, pullRequest] = [read('release.yml'), read('pull-request.yml')];

/**
 * Returns the jobs with each step as one line: its command, or its action without the commit, and
 * its main inputs.
 */
const inShort = ({ jobs }: Json) => {
  const short = ({
    uses,
    run,
    with: { name, path, 'if-no-files-found': ifNoFilesFound } = {},
  }: Json) =>
    [uses?.replace(/@.*/, '') ?? run, name, path, ifNoFilesFound].filter(Boolean).join(' ');
  const entries = Object.entries<Json>(jobs).map(([name, job]) => [
    name,
    { ...job, steps: job.steps.map(short) },
  ]);
  return Object.fromEntries(entries);
};

test('every action is pinned to a commit, and no checkout keeps credentials', () => {
  expect(readdirSync(folder).sort()).toEqual(['pull-request.yml', 'release.yml']);
  for (const workflow of [release, pullRequest]) {
    const steps = Object.values<Json>(workflow.jobs).flatMap((job): Json[] => job.steps);
    const actions = steps.filter(({ uses }) => uses);
    const pinned = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm;
    expect(workflow.text.match(pinned)).toHaveLength(actions.length);
    const checkouts = actions.filter(({ uses }) => uses.startsWith('actions/checkout@'));
    const settings = Object.keys(workflow.jobs).map(() => ({ 'persist-credentials': false }));
    expect(checkouts.map((step) => step.with)).toEqual(settings);
  }
});

test('release.yml is started by hand, runs only on main, and deploys to staging and then to an approved prod', () => {
  const { on, permissions, env, text } = release;
  expect({ on, permissions, env }).toEqual({
    on: { workflow_dispatch: null },
    permissions: {},
    env: undefined,
  });
  const common = { if: "github.ref == 'refs/heads/main'", 'runs-on': 'ubuntu-latest' };
  const install = ['actions/checkout', 'npm ci'];
  // The job gets AWS credentials only after every install, and deploys the assembly that the job
  // `build` tested.
  const deployment = (needs: string, stage: string, options = '') => ({
    ...common,
    needs,
    environment: stage,
    permissions: { contents: 'read', 'id-token': 'write' },
    steps: [
      ...install,
      'actions/download-artifact assembly cdk.out',
      'aws-actions/configure-aws-credentials',
      `npx --no -- petstore release --app cdk.out --stage ${stage}${options}`,
    ],
  });
  expect(inShort(release)).toEqual({
    build: {
      ...common,
      permissions: { contents: 'read' },
      steps: [...install, 'npm run check', 'actions/upload-artifact assembly cdk.out error'],
    },
    staging: deployment('build', 'staging'),
    prod: deployment('staging', 'prod', ' --yes'),
  });
  expect(text.match(/secrets\.\w+/g)).toEqual([
    'secrets.PETSTORE_API_KEY',
    'secrets.PETSTORE_API_KEY',
  ]);
});

test('pull-request.yml runs .ci/run on the untrusted code of a pull request, without secrets or write permissions', () => {
  const { on, permissions, env, text } = pullRequest;
  expect({ on, permissions, env }).toEqual({
    on: { pull_request: null },
    permissions: {},
    env: undefined,
  });
  expect(inShort(pullRequest)).toEqual({
    check: {
      'runs-on': 'ubuntu-latest',
      'timeout-minutes': 60,
      permissions: { contents: 'read' },
      steps: ['actions/checkout', '.ci/run'],
    },
  });
  expect(text).not.toMatch(/secrets|github\.token|vars\./);
});
