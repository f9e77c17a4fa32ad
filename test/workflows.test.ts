import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  if?: string;
  needs?: string;
  environment?: string;
  permissions: Record<string, string>;
  env?: Record<string, string>;
  steps: Step[];
}

interface Workflow {
  on: object;
  permissions: object;
  env?: object;
  jobs: Record<string, Job>;
}

const folder = join(import.meta.dirname, '../.github/workflows');

const read = (file: string) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const workflow: Workflow = parse(text);
  return { file, text, ...workflow };
};

const workflows = readdirSync(folder).map(read);
const release = read('release.yml');
const allJobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${file}, job ${name}`, ...job })),
);

const readsSecret = (part: unknown): boolean => /secrets\./.test(JSON.stringify(part));
const getsCredentials = (step: Step): boolean =>
  readsSecret(step) || /configure-aws-credentials/.test(step.uses ?? '');

test.each(workflows)('$file pins every action to a commit', ({ text }) => {
  const actions = text.match(/uses: .*/g) ?? [];
  const pinned = /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(actions.filter((action) => !pinned.test(action))).toEqual([]);
});

test.each(workflows)(
  '$file gives its jobs no permission and no variable by default',
  (workflow) => {
    const { permissions, env } = workflow;
    expect({ permissions, env }).toEqual({ permissions: {}, env: undefined });
  },
);

test.each(allJobs)('$name: no checkout keeps credentials', ({ steps }) => {
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  const settings = checkouts.map((step) => step.with);
  expect(settings).toEqual([{ 'persist-credentials': false }]);
});

test.each(allJobs)('$name: nothing is installed once there are credentials', (job) => {
  const first = job.steps.findIndex(getsCredentials);
  const after = first === -1 ? [] : job.steps.slice(first);
  expect(after.filter(({ run }) => /npm (ci|install)/.test(run ?? ''))).toEqual([]);
  expect(readsSecret(job.env ?? {})).toBe(false);
});

test.each(allJobs)('$name: only a job of an environment may write, and only tokens', (job) => {
  const tokens = job.environment === 'staging' || job.environment === 'prod';
  const ofEnvironment = tokens ? { 'id-token': 'write' } : {};
  expect(job.permissions).toEqual({ contents: 'read', ...ofEnvironment });
});

test('the code of a pull request gets no secret and no variable', () => {
  const { on, text } = read('pull-request.yml');
  expect(on).toEqual({ pull_request: null });
  expect(text).not.toMatch(/secrets|github\.token|vars\./);
});

test('the weekly checks run for main only, and each is one npm command', () => {
  const { on, jobs } = read('weekly.yml');
  expect(on).toEqual({ schedule: [{ cron: expect.any(String) }], workflow_dispatch: null });
  expect(jobs.check?.if).toBe("github.ref == 'refs/heads/main'");
  const commands = jobs.check?.steps.map(({ run }) => run).filter((run) => run !== undefined);
  expect(commands).toEqual([
    'npm ci',
    expect.stringMatching(/^npm run \$\{\{ matrix\.script \}\}$/),
  ]);
});

test('a release is started by hand', () => {
  expect(release.on).toEqual({ workflow_dispatch: null });
});

test.each(Object.keys(release.jobs))('the job %s of a release runs for main only', (name) => {
  expect(release.jobs[name]?.if).toBe("github.ref == 'refs/heads/main'");
});

test('a release checks main, then deploys it to staging, and then to prod', () => {
  const order = Object.entries(release.jobs).map(([name, { needs, environment }]) => ({
    name,
    needs,
    environment,
  }));
  expect(order).toEqual([
    { name: 'build', needs: undefined, environment: undefined },
    { name: 'staging', needs: 'build', environment: 'staging' },
    { name: 'prod', needs: 'staging', environment: 'prod' },
  ]);
  expect(release.jobs.build?.steps.map(({ run }) => run)).toContain('npm run check');
});

const inputOf = (job: Job | undefined, action: string) =>
  job?.steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with;

test.each([
  { stage: 'staging', options: '' },
  { stage: 'prod', options: ' --yes' },
])('what is deployed to $stage is what the build has checked', ({ stage, options }) => {
  const { build, [stage]: deployment } = release.jobs;
  const assembly = { name: 'assembly', path: 'cdk.out' };
  expect(inputOf(build, 'actions/upload-artifact')).toMatchObject(assembly);
  expect(inputOf(deployment, 'actions/download-artifact')).toEqual(assembly);
  const command = `npx --no -- petstore release --app cdk.out --stage ${stage}${options}`;
  expect(deployment?.steps.at(-1)?.run).toBe(command);
});

test('prod is only read by the check that runs regularly', () => {
  const { on, jobs } = read('check-prod.yml');
  expect(on).toEqual({ schedule: [{ cron: expect.any(String) }] });
  expect(jobs.check?.steps.at(-1)?.run).toMatch(/petstore acceptance .*--read-only$/);
  expect(jobs.check?.environment).toBe('prod-check');
});
