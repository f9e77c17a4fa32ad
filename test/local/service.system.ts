// What only a whole service in this process shows.
import { expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { startService } from '../../local/service.ts';
import { issueApiKey } from '../../ops/keys/api-keys.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { assembly } from '../support/stack/assembly.ts';

const stageName = 'staging';
const apiKey = createApiKey(stageName);

type Service = Awaited<ReturnType<typeof start>>;

const start = () => {
  jest.spyOn(console, 'log').mockReturnValue();
  return startService({ stageName, port: 0, assembly: async () => assembly, jsonLogs: false });
};

const issueKey = ({ client, dynamodb }: Service) =>
  issueApiKey({ client, TableName: dynamodb.apiKeys }, { stageName, name: 'test', apiKey });

/** Returns the status of a list. */
const list = async ({ baseUrl }: Service): Promise<number> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return (await sendRaw(baseUrl, { path: '/inventory', headers })).status;
};

test('a request that comes before the service has its key waits for it', async () => {
  await using service = await start();
  const early = list(service);
  await issueKey(service);
  service.serve();
  expect(await early).toBe(200);
});

test('after a renewal, a new authorizer decides on every key', async () => {
  await using service = await start();
  service.serve();
  expect(await list(service)).toBe(401);
  // The authorizer would decide otherwise now, as with other code.
  await issueKey(service);
  expect(await list(service)).toBe(401);
  service.renew();
  expect(await list(service)).toBe(200);
});
