import { expect, test } from '@jest/globals';
import { cdkDeploy } from '../../../ops/release/cdk-deploy.ts';
import { serve } from '../../support/http/serve.ts';
import { temporaryDirectory } from '../../support/local/local-run.ts';
import { assembly } from '../../support/stack/assembly.ts';

/** Deploys with the real CDK to an AWS at this URL. */
const deployTo = (AWS_ENDPOINT_URL: string, signal: AbortSignal) =>
  cdkDeploy({
    stageName: 'staging',
    assembly,
    env: {
      PATH: process.env.PATH,
      HOME: temporaryDirectory,
      AWS_ENDPOINT_URL,
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    signal,
  });

test('a deployment that AWS rejects is an error', async () => {
  const url = await serve((_request, response) => response.writeHead(403).end());
  await expect(deployTo(url, new AbortController().signal)).rejects.toMatchObject({
    code: 'failed',
    message: 'cdk deploy failed.',
  });
});

test('an interruption ends the CDK while it waits for AWS', async () => {
  const interruption = new AbortController();
  const url = await serve(() => interruption.abort());
  await expect(deployTo(url, interruption.signal)).rejects.toMatchObject({
    code: 'interrupted',
    message: 'Interrupted. CloudFormation goes on with what it has begun.',
  });
});
