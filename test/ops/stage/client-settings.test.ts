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

test.each([
  {
    what: 'meets transactions is sent until it has its turn',
    failures: 20,
    name: 'TransactionConflictException',
  },
  { what: 'a new table throttles is sent ten times', failures: 9, name: 'ThrottlingException' },
])('a write that $what', async ({ failures, name }) => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  let calls = 0;
  const endpoint = await serve((_request, response) => {
    calls += 1;
    const failure = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` });
    const [status, body] = calls <= failures ? [400, failure] : [200, '{}'];
    response.writeHead(status, { 'x-amz-crc32': crc32(body) }).end(body);
  });
  const client = dynamodb({ region, credentials, endpoint });
  atEnd(() => client.destroy());
  await client.updateItem({ TableName: 'pets', Key: { petId: { N: '7' } } });
  expect(calls).toBe(failures + 1);
});
