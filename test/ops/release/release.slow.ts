import { expect, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { spawnOps } from '../../support/ops/ops.ts';
import { ended } from '../../support/process/tools.ts';
import { assembly } from '../../support/stack/assembly.ts';

test('release deploys with the real CDK, and checks what it has deployed', async () => {
  const run = await localRun('--stage', 'staging');
  const aws = await awsAround(run);
  const words = ['release', '--app', assembly, '--stage', 'staging', '--json'];
  const { code, output, errors } = await ended(
    spawnOps(words, { env: { ...aws.environment, PETSTORE_STAGING_API_KEY: run.apiKey } }),
  );

  expect(code === 0 ? '' : errors).toBe('');
  expect(JSON.parse(output)).toMatchObject([{ stage: 'staging', baseUrl: run.baseUrl }]);
  expect(aws.calls).toContainEqual(expect.stringContaining('cloudformation:ExecuteChangeSet'));
  expect(errors).toContain(`Checking ${run.baseUrl} against the contract.`);
  expect(output + errors).not.toContain(run.apiKey);
});
