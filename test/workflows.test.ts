import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

const read = (file: string) => {
  const text = readFileSync(file, 'utf8');
  const { on, permissions, env, jobs } = parse(text);
  return { text, on, permissions, env, jobs: jobs as Record<string, { steps: Step[] }> };
};

const folder = join(import.meta.dirname, '../.github/workflows');
const [release, pullRequest] = [read(join(folder, 'release.yml')), read(join(folder, 'pull-request.yml'))];

/** The jobs with their steps in short: an action without its commit, with what matters of its input; or the command. */
const inShort = ({ jobs }: ReturnType<typeof read>) => {
  const short = ({ uses, run, with: { name, path, 'if-no-files-found': ifNoFilesFound } = {} }: Step) =>
    [uses?.replace(/@.*/, '') ?? run, name, path, ifNoFilesFound].filter(Boolean).join(' ');
  return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, { ...job, steps: job.steps.map(short) }]));
};

const npm11 = 'npm install --global --ignore-scripts npm@11.21.2';

test('every action is pinned to a commit, and no checkout keeps credentials', () => {
  expect(readdirSync(folder).sort()).toEqual(['pull-request.yml', 'release.yml']);
  for (const { text, jobs } of [release, pullRequest]) {
    const actions = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ uses }) => uses));
    expect(text.match(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)).toHaveLength(actions.length);
    const checkouts = actions.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    const settings = Object.keys(jobs).map(() => ({ 'persist-credentials': false }));
    expect(checkouts.map((step) => step.with)).toEqual(settings);
  }
});

test('release.yml is started by hand, and goes from main alone to staging and an approved prod', () => {
  const { on, permissions, env, text } = release;
  expect({ on, permissions, env }).toEqual({ on: { workflow_dispatch: null }, permissions: {}, env: undefined });
  const common = { if: "github.ref == 'refs/heads/main'", 'runs-on': 'ubuntu-latest' };
  const install = ['actions/checkout', npm11, 'npm ci --ignore-scripts'];
  // Credentials come once everything is installed, for what was built and tested.
  const deployment = (needs: string, stage: string, options = '') => ({
    ...common,
    needs,
    environment: stage,
    permissions: { contents: 'read', 'id-token': 'write' },
    steps: [
      ...install,
      'actions/download-artifact assembly cdk.out',
      'aws-actions/configure-aws-credentials',
      `npm run release -- --app cdk.out --stage ${stage}${options}`,
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
  expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.PETSTORE_API_KEY', 'secrets.PETSTORE_API_KEY']);
});

test('pull-request.yml runs .ci/run on the code of a pull request, which may be anybody’s, and gives it nothing', () => {
  const { on, permissions, env, text } = pullRequest;
  expect({ on, permissions, env }).toEqual({ on: { pull_request: null }, permissions: {}, env: undefined });
  expect(inShort(pullRequest)).toEqual({
    check: {
      'runs-on': 'ubuntu-latest',
      'timeout-minutes': 60,
      permissions: { contents: 'read' },
      steps: ['actions/checkout', npm11, '.ci/run'],
    },
  });
  expect(text).not.toMatch(/secrets|github\.token|vars\./);
});
