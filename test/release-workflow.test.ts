import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Job {
  needs?: string;
  environment?: string;
  permissions: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}

describe('.github/workflows/release.yml', () => {
  const text = readFileSync(join(import.meta.dirname, '../.github/workflows/release.yml'), 'utf8');
  const { permissions, jobs } = parse(text) as { permissions: object; jobs: Record<string, Job> };
  const of = <Value>(value: (job: Job) => Value) =>
    Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, value(job)]));

  test('goes from one build to staging to an approved prod', () => {
    expect(of(({ needs, environment }) => ({ needs, environment }))).toEqual({
      build: { needs: undefined, environment: undefined },
      staging: { needs: 'build', environment: 'staging' },
      prod: { needs: 'staging', environment: 'prod' },
    });
  });

  test('promotes what was built, and builds nothing else', () => {
    expect(of(({ steps }) => steps.flatMap(({ run = [] }) => run))).toEqual({
      build: ['npm ci', 'npm run check'],
      staging: ['npm ci', 'npm run release -- --app cdk.out --stage staging'],
      prod: ['npm ci', 'npm run release -- --app cdk.out --stage prod --yes'],
    });
    const artifacts = of(({ steps }) =>
      steps.filter(({ uses }) => /(upload|download)-artifact/.test(uses ?? '')).map((step) => step.with),
    );
    const assembly = { name: 'assembly', path: 'cdk.out' };
    expect(artifacts).toEqual({
      build: [{ ...assembly, 'if-no-files-found': 'error' }],
      staging: [assembly],
      prod: [assembly],
    });
  });

  test('has no permission that it does not need, and no lasting credentials', () => {
    expect(permissions).toEqual({});
    const deploying = { contents: 'read', 'id-token': 'write' };
    expect(of((job) => job.permissions)).toEqual({ build: { contents: 'read' }, staging: deploying, prod: deploying });
    expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.PETSTORE_API_KEY', 'secrets.PETSTORE_API_KEY']);
  });

  test('pins every action to a commit, and names its version', () => {
    const used = text.match(/uses: .*/g) ?? [];
    expect(used).toHaveLength(8);
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});
