// What zizmor and actionlint do not know of the workflows (.ci/run workflows).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

interface Job {
  if?: string;
  needs?: string | string[];
  environment?: string;
  concurrency?: string;
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  steps: Step[];
}

const folder = join(import.meta.dirname, '../.github/workflows');
const jobs: { name: string; job: Job }[] = readdirSync(folder).flatMap((file) =>
  Object.entries<Job>(parse(readFileSync(join(folder, file), 'utf8')).jobs).map(([name, job]) => ({
    name: `${file} ${name}`,
    job,
  })),
);
const ofStages = ['release.yml staging', 'release.yml prod'];

test('only the jobs that deploy can get a token of the cloud, or a secret', () => {
  const trusted = jobs.filter(({ job }) => /id-token|secrets\./.test(JSON.stringify(job)));
  expect(trusted.map(({ name }) => name)).toStrictEqual(ofStages);
});

test.each(jobs.filter(({ name }) => ofStages.includes(name)))(
  '$name: only the steps that call AWS have its credentials, and no package the token for more',
  ({ job }) => {
    const withRole = (part: unknown) => /role\.outputs|AWS_/.test(JSON.stringify(part ?? {}));
    expect(withRole(job.env)).toBe(false);
    for (const { run, env } of job.steps.filter((step) => step.run !== undefined)) {
      const callsAws = /\b(aws cloudformation|npx cdk deploy) /.test(run ?? '');
      expect({ run, withRole: withRole(env) }).toStrictEqual({ run, withRole: callsAws });
      // GitHub gives every step of the job this token. npm ci runs no package.
      if (!callsAws && run !== 'npm ci') {
        expect(run).toMatch(/^env -u ACTIONS_ID_TOKEN_REQUEST_TOKEN /);
      }
    }
  },
);

test('a release goes from main to prod after staging, each alone', () => {
  const order = jobs.filter(({ name }) => name.startsWith('release.yml'));
  expect(
    order.map(({ job }) => [job.if, job.needs, job.environment, job.concurrency]),
  ).toStrictEqual([
    ["github.ref == 'refs/heads/main'", undefined, undefined, undefined],
    ["github.ref == 'refs/heads/main'", 'build', 'staging', 'staging'],
    ["github.ref == 'refs/heads/main'", ['build', 'staging'], 'prod', 'prod'],
  ]);
});
