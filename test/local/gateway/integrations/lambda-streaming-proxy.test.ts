import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { lambdaStreamingProxy } from '../../../../local/gateway/integrations/lambda-streaming-proxy.ts';
import { FunctionError } from '../../../../local/lambda/function-error.ts';
import { functionOf, responseOf, serveRoute } from '../../../support/fixture-gateway.ts';
import { open } from '../../../support/http-client.ts';

const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => void printed.mockClear());

/** The integration of a function that has half a second and streams such a result. */
const proxy = (result: () => Readable | Promise<Readable>) => lambdaStreamingProxy(functionOf(result), 500);

const metadata = `${JSON.stringify({ statusCode: 201, headers: { 'X-One': 1, Server: 'mine' } })}${'\0'.repeat(8)}`;
/** A result of which that much has come. */
const begun = (text: string): PassThrough => {
  const result = new PassThrough();
  result.write(text);
  return result;
};

test('a streamed response has status and headers of the metadata, and its body as it comes', async () => {
  const result = begun(metadata.slice(0, 30));
  const responding = open(await serveRoute(proxy(() => result)), { path: '/pets' });
  result.write(`${metadata.slice(30)}[1`);
  const { statusCode, headers } = await responding;
  const body = (await responding).setEncoding('utf8');
  expect([statusCode, await once(body, 'data')]).toEqual([201, ['[1']]);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
    'x-one': '1',
    'x-amzn-remapped-server': 'mine',
  });
  result.end(',2]');
  expect(await body.toArray()).toEqual([',2]']);
});

test.each([
  ['no metadata', () => begun('[]').end(), 'DEFAULT_5XX'],
  ['metadata that are none', () => begun(`[]${metadata.slice(-8)}`).end(), 'DEFAULT_5XX'],
  ['no metadata in time', () => begun('{'), 'INTEGRATION_TIMEOUT'],
])('a result with %s is an error', async (_what, result, responseType) => {
  expect((await responseOf(proxy(result))).body).toBe(responseType);
});

test.each([
  ['fails', new FunctionError('late'), 'late'],
  ['takes too long', undefined, 'it took too long.'],
])('a response is cut off when its function %s half-way', async (_how, failure, reason) => {
  const result = begun(`${metadata}[1`);
  const response = await open(await serveRoute(proxy(() => result)), { path: '/pets' });
  expect([response.statusCode, await once(response.setEncoding('utf8'), 'data')]).toEqual([201, ['[1']]);
  if (failure) {
    result.destroy(failure);
  }
  await expect(once(response, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
  while (printed.mock.calls.length === 0) {
    await sleep(10);
  }
  expect(printed.mock.calls).toEqual([[`The response was cut: ${reason}`]]);
});

test.each([
  ['before there is a result', false],
  ['within it', true],
])('a result is destroyed when the client leaves %s', async (_when, hasBegun) => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<unknown>();
  const result = begun(`${metadata}[1`);
  const respond = async () => {
    asked.resolve();
    await (hasBegun || left.promise);
    return result;
  };
  const { port } = new URL(await serveRoute(proxy(respond), { log: left.resolve }));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET /test/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await (hasBegun ? once(client, 'readable') : asked.promise);
  client.destroy();
  await once(result, 'close');
  expect(printed.mock.calls).toEqual([]);
});
