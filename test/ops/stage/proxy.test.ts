import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { localCredentials as credentials } from '../../../local/shared/account.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';

test('a command reaches AWS through the proxy of HTTPS_PROXY', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  // Node reads it when the settings are made.
  process.env.HTTPS_PROXY = await serve(proxy);
  delete process.env.NO_PROXY;
  const { dynamodb } = await import('../../../ops/stage/client-settings.ts');
  const client = dynamodb({ region: 'eu-west-1', credentials, maxAttempts: 1 });
  atEnd(() => client.destroy());
  await expect(client.listTables()).rejects.toThrow();
  expect(asked).toStrictEqual(['dynamodb.eu-west-1.amazonaws.com:443']);
});
