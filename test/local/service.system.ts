// What only a whole service in this process shows.
import { expect, jest, test } from '@jest/globals';
import { hashApiKey } from '../../functions/keys/api-key.ts';
import { descriptionPath } from '../../local/gateway/operators-api.ts';
import { startService } from '../../local/service.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { outputOf } from '../support/process/tools.ts';
import { assembly } from '../support/stack/assembly.ts';

const stageName = 'staging';

test('requests wait until the service is to answer, and a new authorizer decides after a renewal', async () => {
  jest.spyOn(console, 'log').mockReturnValue();
  await using service = await startService({
    stageName,
    port: 0,
    assembly: async () => assembly,
    jsonLogs: false,
  });
  const { baseUrl, apiKey, client, dynamodb } = service;

  const early = sendRaw(new URL(baseUrl).origin, { path: descriptionPath });
  // A program that starts takes far longer than the response would.
  const later = outputOf(process.execPath, '--version').then(() => 'later');
  expect(await Promise.race([early, later])).toBe('later');
  service.serve();
  expect((await early).status).toBe(200);

  const headers = { Authorization: `Bearer ${apiKey}` };
  const list = async () => (await sendRaw(baseUrl, { path: '/inventory', headers })).status;
  expect(await list()).toBe(200);
  // The authorizer would decide otherwise now, as with other code.
  const Key = { keyHash: { S: hashApiKey(apiKey) } };
  await client.deleteItem({ TableName: dynamodb.apiKeys, Key });
  expect(await list()).toBe(200);
  service.renew();
  expect(await list()).toBe(401);
});
