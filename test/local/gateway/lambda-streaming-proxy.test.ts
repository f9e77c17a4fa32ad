import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { lambdaStreamingProxy } from '../../../local/gateway/integrations/lambda-streaming-proxy.ts';
import { EventTooLargeError, FunctionError } from '../../../local/lambda/function-error.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { open } from '../../../ops/acceptance/suite/raw-request.ts';
import { functionOf, responseOf, serveRoute } from '../../support/http/fixture-gateway.ts';

const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => void printed.mockClear());

/** The integration of a function. */
const proxy = (result: () => Readable | Promise<Readable>, timeoutMs = 5_000) =>
  lambdaStreamingProxy(functionOf(result), timeoutMs);

const separator = '\0'.repeat(8);
const metadataOf = (metadata: object) => JSON.stringify(metadata) + separator;
const created = metadataOf({
  statusCode: 201,
  headers: { 'X-One': 1, Server: 'mine' },
  cookies: ['a=b', 'c=d'],
});

/** Returns a streamed result of which this text has arrived. */
const begun = (text: string): PassThrough => {
  const result = new PassThrough();
  result.write(text);
  return result;
};

describe('a streamed response', () => {
  test('has the status and the headers of the metadata', async () => {
    const response = await responseOf(proxy(() => begun(`${created}[]`).end()));
    expect(response).toMatchObject({
      status: 201,
      headers: {
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
        'x-one': '1',
        'x-amzn-remapped-server': 'mine',
        'set-cookie': ['a=b', 'c=d'],
      },
      text: '[]',
    });
  });

  test('is sent as it arrives', async () => {
    const result = begun(`${created}[1`);
    const response = await open(await serveRoute(proxy(() => result)), { path: '/pets' });
    response.setEncoding('utf8');
    expect(await once(response, 'data')).toEqual(['[1']);
    result.end(',2]');
    expect(await response.toArray()).toEqual([',2]']);
  });

  test('may have metadata that arrives in parts', async () => {
    const result = new PassThrough();
    const responding = responseOf(proxy(() => result));
    for (const byte of Buffer.from(`${created}[]`)) {
      result.write(Buffer.of(byte));
    }
    result.end();
    expect(await responding).toMatchObject({ status: 201, text: '[]' });
  });

  test('that is an error is logged with its code', async () => {
    const records: AccessRecord[] = [];
    const error = `${metadataOf({ statusCode: 503 })}{"code":"service_unavailable"}`;
    const response = await responseOf(
      proxy(() => begun(error).end()),
      {},
      { log: (record) => records.push(record) },
    );
    expect(response).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(records).toMatchObject([{ status: 503, errorCode: 'service_unavailable' }]);
  });
});

const rejected = (error: Error) => () => Promise.reject(error);

test.each([
  { what: 'no metadata', result: () => begun('[]').end(), status: 502, body: 'DEFAULT_5XX' },
  {
    what: 'invalid metadata',
    result: () => begun(`[]${separator}`).end(),
    status: 502,
    body: 'DEFAULT_5XX',
  },
  {
    what: 'a failure',
    result: rejected(new FunctionError('secret')),
    status: 502,
    body: 'DEFAULT_5XX',
  },
  {
    what: 'too large an event',
    result: rejected(new EventTooLargeError('6 MB')),
    status: 413,
    body: 'REQUEST_TOO_LARGE',
  },
])('an invocation with $what gets a $status', async ({ result, status, body }) => {
  expect(await responseOf(proxy(result))).toMatchObject({ status, body });
});

test.each([
  { what: 'no result', result: () => new Promise<Readable>(() => {}) },
  { what: 'no metadata', result: () => begun('{') },
])('an invocation with $what in time gets a 504', async ({ result }) => {
  const response = await responseOf(proxy(result, 10));
  expect(response).toMatchObject({ status: 504, body: 'INTEGRATION_TIMEOUT' });
});

describe('a response is cut off, and that is printed, when its function', () => {
  /** Returns a response that has begun, and what is printed when it is cut. */
  const beginResponse = async (result: Readable) => {
    const printing = Promise.withResolvers<string>();
    printed.mockImplementationOnce(printing.resolve);
    const response = await open(await serveRoute(proxy(() => result)), { path: '/pets' });
    expect(response.statusCode).toBe(201);
    expect(await once(response.setEncoding('utf8'), 'data')).toEqual(['[1']);
    return { response, printing: printing.promise };
  };

  test('fails', async () => {
    const result = begun(`${created}[1`);
    const { response, printing } = await beginResponse(result);
    result.destroy(new FunctionError('late'));
    await expect(once(response, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await printing).toBe('The response was cut: late');
  });

  test('takes too long', async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const { response, printing } = await beginResponse(begun(`${created}[1`));
    limit.abort();
    await expect(once(response, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await printing).toBe('The response was cut: it took too long.');
    expect(timeout.mock.calls).toEqual([[5_000]]);
    timeout.mockRestore();
  });
});

describe('a result is destroyed when its client leaves', () => {
  const request = 'GET /test/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';

  test('before there is a result', async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<unknown>();
    const result = begun(`${created}[1`);
    const integration = proxy(async () => {
      asked.resolve();
      await left.promise;
      return result;
    });
    const { port } = new URL(await serveRoute(integration, { log: left.resolve }));
    const client = connect(Number(port), '127.0.0.1');
    client.write(request);
    await asked.promise;
    client.destroy();
    await once(result, 'close');
    expect(printed.mock.calls).toEqual([]);
  });

  test('halfway through the result', async () => {
    const result = begun(`${created}[1`);
    const { port } = new URL(await serveRoute(proxy(() => result)));
    const client = connect(Number(port), '127.0.0.1');
    client.write(request);
    await once(client, 'readable');
    client.destroy();
    await once(result, 'close');
    expect(printed.mock.calls).toEqual([]);
  });
});
