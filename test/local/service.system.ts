// What only a whole service in this process shows.
import { expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { descriptionPath } from '../../local/gateway/operators-api.ts';
import { startService } from '../../local/service.ts';
import { issueApiKey } from '../../ops/keys/api-keys.ts';
import { sendRaw } from '../support/http/raw-request.ts';
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
  const { baseUrl, client, dynamodb } = service;

  const early = sendRaw(new URL(baseUrl).origin, { path: descriptionPath });
  // This starts processes, which takes far longer than the response would.
  const warm = service.warmUp().then(() => 'warm');
  expect(await Promise.race([early, warm])).toBe('warm');
  service.serve();
  expect((await early).status).toBe(200);

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
