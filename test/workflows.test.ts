import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
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
  outputs?: Record<string, string>;
  'timeout-minutes'?: number;
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

test.each(allJobs)('$name: ends after two hours at the latest', (job) => {
  expect(job['timeout-minutes']).toBeGreaterThan(0);
  expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
});

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

const withSecrets = allJobs.filter(({ environment }) => environment !== undefined);

test.each(withSecrets)(
  '$name: what has secrets runs on the newest Node 24 of its makers',
  (job) => {
    const [, setUp] = job.steps;
    expect(setUp?.uses).toMatch(/^actions\/setup-node@/);
    expect(setUp?.with).toEqual({ 'node-version': 24 });
  },
);

test('the weekly checks run for main only, and each is one npm command', () => {
  const { on, jobs } = read('weekly.yml');
  expect(on).toEqual({ schedule: [{ cron: expect.any(String) }], workflow_dispatch: null });
  const conditions = new Set(Object.values(jobs).map((job) => job.if));
  expect([...conditions]).toEqual(["github.ref == 'refs/heads/main'"]);
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
  const order = Object.entries(release.jobs).map(([name, job]) => ({
    name,
    needs: job.needs,
    environment: job.environment,
    concurrency: job.concurrency,
  }));
  expect(order).toEqual([
    { name: 'build', needs: undefined, environment: undefined, concurrency: undefined },
    { name: 'staging', needs: 'build', environment: 'staging', concurrency: 'staging' },
    { name: 'prod', needs: ['build', 'staging'], environment: 'prod', concurrency: 'prod' },
  ]);
});

test('a release that waits for its approval holds up no other one before prod', () => {
  expect(release).not.toHaveProperty('concurrency');
});

const compare = 'test "$(.ci/hash-assembly)" = "$ASSEMBLY"';
const expression = (text: string) => `\${{ ${text} }}`;
const uses = (step: Step | undefined) => step?.uses?.replace(/@.*/, '');

test('the build hashes the assembly right after its synthesis and uploads what it has checked', () => {
  const { steps = [], outputs } = release.jobs.build ?? {};
  expect(steps.map((step) => step.run ?? uses(step))).toEqual([
    'actions/checkout',
    'actions/setup-node',
    'npm ci',
    'npm run synth',
    'echo "assembly=$(.ci/hash-assembly)" >> "$GITHUB_OUTPUT"',
    'npm run types',
    'npm run lint',
    'npm test',
    compare,
    'actions/upload-artifact',
  ]);
  const hash = expression('steps.hash.outputs.assembly');
  expect(steps[4]?.id).toBe('hash');
  expect(outputs).toEqual({ assembly: hash });
  expect(steps.at(-2)?.env).toEqual({ ASSEMBLY: hash });
  expect(steps.at(-1)?.with).toMatchObject({ name: 'assembly', path: 'cdk.out' });
});

test.each([
  { stage: 'staging', options: '' },
  { stage: 'prod', options: ' --yes' },
])('what is deployed to $stage is what the build has checked', ({ stage, options }) => {
  const { steps = [] } = release.jobs[stage] ?? {};
  const [download, comparison, credentials, deployment] = steps.slice(-4);
  expect(uses(download)).toBe('actions/download-artifact');
  expect(download?.with).toEqual({ name: 'assembly', path: 'cdk.out' });
  expect(comparison).toEqual({
    run: compare,
    env: { ASSEMBLY: expression('needs.build.outputs.assembly') },
  });
  expect(uses(credentials)).toBe('aws-actions/configure-aws-credentials');
  expect(deployment?.run).toBe(
    `npx --no -- petstore release --app cdk.out --stage ${stage}${options}`,
  );
});

test('prod is only read by the check that runs regularly, with a key that can only read', () => {
  const { on, jobs } = read('check-prod.yml');
  expect(on).toEqual({ schedule: [{ cron: expect.any(String) }] });
  expect(jobs.check?.steps.at(-1)?.run).toBe(
    'npx --no -- petstore acceptance --base-url "$BASE_URL" --read-only --key-access read',
  );
  expect(jobs.check?.environment).toBe('prod-check');
});

test('Dependabot knows every folder of packages that users do not copy', () => {
  const { updates } = parse(readFileSync(join(folder, '../dependabot.yml'), 'utf8'));
  const folders = trackedFiles(/package-lock\.json$/)
    .filter((file) => !file.startsWith('examples/'))
    .map((file) => join('/', dirname(file)));
  expect(updates[0].directories).toEqual(folders.toSorted());
});
