// What only a whole service in this process shows.
import { expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { startService } from '../../local/service.ts';
import { issueApiKey } from '../../ops/keys/api-keys.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { assembly } from '../support/stack/assembly.ts';

test('after a renewal, a new authorizer decides on every key', async () => {
  jest.spyOn(console, 'log').mockReturnValue();
  const stageName = 'staging';
  await using service = await startService({
    stageName,
    port: 0,
    assembly: async () => assembly,
    jsonLogs: false,
  });
  const { baseUrl, client, dynamodb } = service;
  const apiKey = createApiKey(stageName);
  const headers = { Authorization: `Bearer ${apiKey}` };
  const list = async () => (await sendRaw(baseUrl, { path: '/inventory', headers })).status;

  expect(await list()).toBe(401);
  // The authorizer would decide otherwise now, as with other code.
  await issueApiKey({ client, TableName: dynamodb.apiKeys }, { stageName, name: 'test', apiKey });
  expect(await list()).toBe(401);
  service.renew();
  expect(await list()).toBe(200);
});
