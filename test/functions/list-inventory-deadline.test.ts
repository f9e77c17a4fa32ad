import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { handlerBundles } from '../../bench/handler-bundles.ts';
import { scanEntries, startDynamodb } from '../dynamodb.ts';

test('a list that its client does not take in time breaks off before Lambda ends the function', async () => {
  const dynamodb = await startDynamodb();
  dynamodb.scan = scanEntries(1_000_000);
  const bundle = (await handlerBundles()).find(({ name }) => name === 'list');
  const instance = fork(join(import.meta.dirname, '../../local/lambda-runtime.ts'), {
    env: {
      ...bundle?.environment,
      _HANDLER: 'index.handler',
      LAMBDA_TASK_ROOT: bundle?.taskRoot,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
      INVENTORY_TABLE_NAME: 'inventory',
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  try {
    let logs = '';
    instance.stderr?.on('data', (chunk) => (logs += chunk));
    const [port] = await once(instance, 'message');
    const headers = { 'Lambda-Runtime-Deadline-Ms': Date.now() + 5_000 };
    const result = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, resolve)
        .on('error', reject)
        .end(JSON.stringify({ requestContext: { requestId: 'the-request' } }));
    });

    await once(instance, 'message');
    expect(logs).toMatch(/The list broke off\. \{ requestId: 'the-request', entriesSent: [1-9]\d* \} AbortError/);
    result.resume();
    await expect(once(result, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  } finally {
    instance.kill('SIGKILL');
    dynamodb.close();
  }
});
