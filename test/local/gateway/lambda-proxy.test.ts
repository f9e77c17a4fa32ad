// How a streamed result becomes the response as it arrives, and how long a function may take. What a
// function gets, and what each result becomes, is in exchanges.txt.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { listTimeout } from '../../../functions/shared/time-limits.ts';
import { lambdaProxy, lambdaStreamingProxy } from '../../../local/gateway/lambda-proxy.ts';
import { findRoute, type GatewayRequest } from '../../../local/gateway/route.ts';
import { open } from '../../support/http/raw-request.ts';
import { apiWith, functionOf, serveApi } from '../../support/http/serve-api.ts';
import { until } from '../../support/process/until.ts';

const withKey = { Authorization: `Bearer ${createApiKey('staging')}` };

const separator = '\0'.repeat(8);
const created = JSON.stringify({ statusCode: 201, headers: { 'X-One': 1 } }) + separator;

/** Returns a streamed result that has begun with this text. */
const begun = (text: string): PassThrough => {
  const result = new PassThrough();
  result.write(text);
  return result;
};

describe('a streamed response', () => {
  /** Opens a list whose result has begun, but not its body. */
  const openList = async () => {
    const result = begun(created);
    const url = await serveApi(apiWith({ ListInventory: () => result }));
    const response = await open(url, { path: '/staging/v1/inventory', headers: withKey });
    response.setEncoding('utf8');
    return { result, response };
  };

  // The log has the status that was to be sent, so a client must get it whatever comes next.
  test('begins before its body, which is sent as it arrives', async () => {
    const { result, response } = await openList();
    expect(response.statusCode).toBe(201);
    result.write('[1');
    expect(await once(response, 'data')).toStrictEqual(['[1']);
    result.end(',2]');
    expect(await response.toArray()).toStrictEqual([',2]']);
  });

  test('is cut off when its function fails', async () => {
    const { result, response } = await openList();
    result.destroy(new Error('late'));
    await expect(response.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('ends its result when its client has left', async () => {
    const { result, response } = await openList();
    response.on('error', () => {}).destroy();
    // A client that only shuts down its sending half looks the same until something is sent.
    await until('the end of the result', () => {
      result.write('[1');
      return result.destroyed;
    });
    expect(result.readableEnded).toBe(false);
  });
});

describe('the time limit of an integration', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
  const fakeTimers = () =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

  /** A request as far as an event shows it. */
  const request = {
    message: { rawHeaders: [], headers: {}, socket: {} },
    record: {},
    query: new URLSearchParams(),
    pathParameters: {},
    body: Buffer.of(),
  } as unknown as GatewayRequest;

  const never = () => new Promise(() => {});
  const begins = () => begun('{');
  const { resources } = apiWith({ ListInventory: begins, UpdateInventory: never });

  test.each([
    { method: 'PATCH', path: '/v1/inventory/1', seconds: 29 },
    { method: 'GET', path: '/v1/inventory', seconds: listTimeout / 1_000 + 10 },
  ])('of $method $path is $seconds seconds, then a 504', async ({ method, path, seconds }) => {
    fakeTimers();
    const { route } = findRoute(resources, method, path);
    const responding = route.integrate(request).catch(({ type }) => type);
    jest.advanceTimersByTime(1_000 * seconds - 1);
    expect(await Promise.race([responding, nextTurn('waiting')])).toBe('waiting');
    jest.advanceTimersByTime(1);
    expect(await responding).toBe('INTEGRATION_TIMEOUT');
  });

  test('cuts off a streamed result that has begun', async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const result = begun(`${created}[1`);
    const integrate = lambdaStreamingProxy(
      functionOf(() => result),
      5_000,
    );
    await integrate(request);
    result.on('error', () => {});
    limit.abort();
    expect(result.errored?.name).toBe('AbortError');
    expect(timeout.mock.calls).toStrictEqual([[5_000]]);
  });

  test('leaves no timer behind, which would keep a result in memory', async () => {
    fakeTimers();
    await lambdaProxy(
      functionOf(() => ({ statusCode: 200 })),
      5_000,
    )(request);
    await nextTurn();
    expect(jest.getTimerCount()).toBe(0);
  });
});
