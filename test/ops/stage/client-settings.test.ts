import type { RequestListener } from 'node:http';
import { crc32 } from 'node:zlib';
import { expect, jest, test } from '@jest/globals';
import { localCredentials as credentials, region } from '../../../local/shared/account.ts';
import { clientSettings, dynamodb } from '../../../ops/stage/client-settings.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';

test.each<{ what: string; listener: RequestListener }>([
  { what: 'no response', listener: () => {} },
  {
    what: 'half a response',
    listener: (_request, response) => void response.writeHead(200).write('{"TableNames":'),
  },
])('a request that gets $what fails after the time limit', async ({ listener }) => {
  const endpoint = await serve(listener);
  const { socketTimeout, ...others } = clientSettings.requestHandler;
  // The settings as they are, but for a hundredth of the time limit and one attempt, to be quick.
  const requestHandler = { ...others, socketTimeout: socketTimeout / 100 };
  const client = dynamodb({ region, credentials, endpoint, maxAttempts: 1, requestHandler });
  atEnd(() => client.destroy());
  await expect(client.listTables()).rejects.toThrow(
    '@smithy/node-http-handler - the request socket timed out after 100 ms of inactivity',
  );
});

test('a write that meets transactions is sent until it has its turn', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const conflict = '{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException"}';
  let calls = 0;
  const endpoint = await serve((_request, response) => {
    calls += 1;
    const [status, body] = calls <= 20 ? [400, conflict] : [200, '{}'];
    response.writeHead(status, { 'x-amz-crc32': crc32(body) }).end(body);
  });
  const client = dynamodb({ region, credentials, endpoint });
  atEnd(() => client.destroy());
  await client.updateItem({ TableName: 'pets', Key: { petId: { N: '7' } } });
  jest.restoreAllMocks();
  expect(calls).toBe(21);
});
