// What becomes of a request whose client leaves, or stops sending, before it has a response.
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { metadataEnd } from '../../../local/gateway/lambda-proxy.ts';
import { type AccessRecord, readableLine } from '../../../local/log/access-log.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { apiWith, decision, type Handlers, serveApi } from '../../support/http/serve-api.ts';
import { until } from '../../support/process/until.ts';

const headers = ['Host: localhost', `Authorization: Bearer ${createApiKey('staging')}`, ''].join(
  '\r\n',
);
const head = `PATCH /staging/v1/inventory/1 HTTP/1.1\r\n${headers}`;
/** What the log says of a request without a response: a hyphen for its status. */
const unanswered = / PATCH \/staging\/v1\/inventory\/1 - \d+ ms$/;

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

const connectTo = (url: string) => connect(Number(new URL(url).port), '127.0.0.1');

/** By the time that another request has its response, a server here has learned of what came before. */
const sendAnother = async () => sendRaw(await serveApi(apiWith({})), { path: '/staging' });

/** Connects to an API whose authorizer decides only after its client has left. */
const connected = async (
  effect: 'Allow' | 'Deny',
  UpdateInventory: Handlers['UpdateInventory'],
) => {
  const left = Promise.withResolvers<AccessRecord>();
  const Authorizer = async () => {
    await left.promise;
    return decision(effect);
  };
  const client = connectTo(await serveApi(apiWith({ Authorizer, UpdateInventory }), left.resolve));
  return {
    /** Sends a body of these bytes, and leaves. Returns the line that is then logged. */
    leaveAfter: async (body: string, contentLength: number) => {
      const message = `${head}Content-Length: ${contentLength}\r\n\r\n${body}`;
      client.write(message, () => client.resetAndDestroy());
      return readableLine(await left.promise);
    },
  };
};

test('a request that has arrived is handled although its client leaves, and logged without a status', async () => {
  const handled = Promise.withResolvers<string>();
  const { leaveAfter } = await connected('Allow', ({ body }) => handled.resolve(body));
  expect(await leaveAfter('body', 4)).toMatch(unanswered);
  expect(await handled.promise).toBe('body');
});

// The body that fails to arrive is a rejected promise, which after a Deny nobody awaits. Jest fails a
// test that leaves a rejection unhandled; `petstore start` would end.
test.each(['Allow', 'Deny'] as const)(
  'a client that leaves in the middle of a body causes no update and no message, if its key gets %s',
  async (effect) => {
    const handle = jest.fn();
    const { leaveAfter } = await connected(effect, handle);
    expect(await leaveAfter('body', 9)).toMatch(unanswered);
    await sendAnother();
    expect([handle.mock.calls, printed.mock.calls]).toStrictEqual([[], []]);
  },
);

// Otherwise its function would be busy until its time is over, and nine more would block all lists.
test('a list whose client leaves before it begins is not read further', async () => {
  const left = Promise.withResolvers<AccessRecord>();
  const result = new PassThrough();
  const ListInventory = async () => {
    await left.promise;
    result.write(`{"statusCode":200}${metadataEnd}[1`);
    return result;
  };
  const client = connectTo(await serveApi(apiWith({ ListInventory }), left.resolve));
  client.write(`GET /staging/v1/inventory HTTP/1.1\r\n${headers}\r\n`, () =>
    client.resetAndDestroy(),
  );
  await until('the end of the result', () => result.destroyed);
});
