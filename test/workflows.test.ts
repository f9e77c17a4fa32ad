// What must hold of every workflow. What their commands do is in workflows.system.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type StageName, stageNames } from '../infra/settings/stage-names.ts';
import manifest from '../package.json' with { type: 'json' };
import { trackedFiles } from './support/process/tracked-files.ts';

interface Step {
  id?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  if?: string;
  needs?: string | string[];
  environment?: string;
  concurrency?: string;
  'timeout-minutes': number;
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  strategy?: { matrix: { script: string[] } };
  steps: Step[];
}

interface Workflow {
  on: object;
  permissions: object;
  env?: object;
  concurrency?: object;
  jobs: Record<string, Job>;
}

const folder = join(import.meta.dirname, '../.github/workflows');

const read = (file: string) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const workflow: Workflow = parse(text);
  return { file, text, ...workflow };
};

const workflows = readdirSync(folder).map(read);
const allJobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${file}, job ${name}`, ...job })),
);

/** The jobs that run code of this repository. The others need nothing but what GitHub installs. */
const jobsWithCode = allJobs.filter(({ steps }) => steps.some(({ uses }) => uses !== undefined));

const readsSecret = (part: unknown): boolean => /secrets\./.test(JSON.stringify(part));

test.each(workflows)('$file pins every action to a commit, and says its version', (workflow) => {
  const actions = Object.values(workflow.jobs).flatMap(({ steps }) =>
    steps.flatMap(({ uses = [] }) => uses),
  );
  const pinned = workflow.text.matchAll(
    /- uses: ([\w-]+\/[\w-]+@[0-9a-f]{40}) # v\d+\.\d+\.\d+$/gm,
  );
  expect([...pinned].map(([, action]) => action)).toStrictEqual(actions);
});

test.each(workflows)(
  '$file gives its jobs no permission and no variable by default',
  (workflow) => {
    const { permissions, env } = workflow;
    expect({ permissions, env }).toStrictEqual({ permissions: {}, env: undefined });
  },
);

test.each(allJobs)('$name: ends after two hours at the latest', (job) => {
  expect(job['timeout-minutes']).toBeGreaterThan(0);
  expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
});

test.each(jobsWithCode)('$name: the only checkout keeps no credentials', ({ steps }) => {
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.map((step) => step.with)).toMatchObject([{ 'persist-credentials': false }]);
});

test.each(allJobs)('$name: nothing is installed once there are credentials', (job) => {
  const getsCredentials = (step: Step): boolean =>
    readsSecret(step) || /configure-aws-credentials/.test(step.uses ?? '');
  const first = job.steps.findIndex(getsCredentials);
  const after = first === -1 ? [] : job.steps.slice(first);
  expect(after.filter(({ run }) => /npm (ci|install)/.test(run ?? ''))).toStrictEqual([]);
  expect(readsSecret(job.env ?? {})).toBe(false);
});

test.each(allJobs)('$name: only the steps that need credentials of AWS get them', (job) => {
  const assuming = job.steps.filter(({ uses }) => /configure-aws-credentials/.test(uses ?? ''));
  for (const step of assuming) {
    expect(step).toMatchObject({
      id: 'role',
      with: { 'output-credentials': true, 'output-env-credentials': false },
    });
  }
  const needsThem = /\b(aws cloudformation|npx cdk deploy) /;
  const [needing, others] = [true, false].map((needs) =>
    job.steps.filter(({ run }) => run !== undefined && needsThem.test(run) === needs),
  );
  expect(needing?.length).toBe(2 * assuming.length);
  for (const { env = {} } of needing ?? []) {
    const ofRole = Object.entries(env).filter(([, value]) => /steps\.role\.outputs\./.test(value));
    expect(ofRole.map(([name]) => name)).toStrictEqual([
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
    ]);
  }
  expect(JSON.stringify([others, job.env])).not.toMatch(/AWS_|role\.outputs/);
  // GitHub gives every step of the job this token, with which a package could assume the role.
  // npm ci runs no package.
  if ('id-token' in (job.permissions ?? {})) {
    const withToken = others?.map(({ run }) => run).filter((run) => run !== 'npm ci');
    const withoutToken = expect.stringMatching(/^env -u ACTIONS_ID_TOKEN_REQUEST_TOKEN /);
    expect(withToken).toStrictEqual(withToken?.map(() => withoutToken));
  }
});

test.each(jobsWithCode)('$name: only a job that deploys may write, and only tokens', (job) => {
  const deploys = (stageNames as readonly unknown[]).includes(job.environment);
  const tokens = deploys ? { 'id-token': 'write' } : {};
  expect(job.permissions).toStrictEqual({ contents: 'read', ...tokens });
});

test('the code of a pull request gets no secret and no variable', () => {
  const { on, text } = read('pull-request.yml');
  expect(on).toStrictEqual({ pull_request: null });
  expect(text).not.toMatch(/secrets|github\.token|vars\./);
});

test.each(jobsWithCode.filter(({ environment }) => environment !== undefined))(
  '$name: what has secrets runs on the newest Node 24 of its makers',
  ({ steps }) => {
    expect(steps[1]?.uses).toMatch(/^actions\/setup-node@/);
    expect(steps[1]?.with).toStrictEqual({ 'node-version': 24 });
  },
);

const onMain = "github.ref == 'refs/heads/main'";

test('a pull request is red if one of its parts is', () => {
  const { all } = read('pull-request.yml').jobs;
  const steps = [
    { run: expect.stringMatching(/^test \$\{\{ needs\.check\.result \}\} = success$/) },
  ];
  expect(all).toMatchObject({ needs: 'check', if: 'always()', steps });
});

test('a release is started by hand, on main, and goes to prod after staging', () => {
  const { on, concurrency, jobs } = read('release.yml');
  // One that waits for its approval must hold up no other one before prod.
  expect({ on, concurrency }).toStrictEqual({
    on: { workflow_dispatch: null },
    concurrency: undefined,
  });
  const order = Object.entries(jobs).map(([name, job]) => ({
    name,
    if: job.if,
    needs: job.needs,
    environment: job.environment,
    concurrency: job.concurrency,
  }));
  const build = { needs: undefined, environment: undefined, concurrency: undefined };
  const ofStage = (name: string) => ({ if: onMain, environment: name, concurrency: name });
  /** The jobs by stage. One that has none is deployed by hand alone. */
  const stages: Record<StageName, object | undefined> = {
    staging: { name: 'staging', ...ofStage('staging'), needs: 'build' },
    prod: { name: 'prod', ...ofStage('prod'), needs: ['build', 'staging'] },
  };
  expect(order).toStrictEqual([
    { name: 'build', if: onMain, ...build },
    ...Object.values(stages).filter((job) => job !== undefined),
  ]);
});

test('the weekly checks run for main, and those of the matrix are npm scripts', () => {
  const { on, jobs } = read('weekly.yml');
  expect(on).toStrictEqual({ schedule: [{ cron: '0 3 * * 1' }], workflow_dispatch: null });
  expect(new Set(Object.values(jobs).map((job) => job.if))).toStrictEqual(new Set([onMain]));
  const scripts = jobs.check?.strategy?.matrix.script ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  expect(Object.keys(manifest.scripts)).toStrictEqual(expect.arrayContaining(scripts));
});

test('Dependabot knows every folder of packages that users do not copy', () => {
  const { updates } = parse(readFileSync(join(folder, '../dependabot.yml'), 'utf8'));
  const folders = trackedFiles(/package-lock\.json$/)
    .filter((file) => !file.startsWith('examples/'))
    .map((file) => join('/', dirname(file)));
  expect(updates[0].directories).toStrictEqual(folders.toSorted());
});
