// What becomes of a request whose client leaves, or stops sending, before it has a response.
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { metadataEnd } from '../../../local/gateway/lambda-proxy.ts';
import { type AccessRecord, readableLine } from '../../../local/log/access-log.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { apiWith, decision, type Handlers, serveApi } from '../../support/http/serve-api.ts';
import { until } from '../../support/process/until.ts';

afterEach(() => void jest.restoreAllMocks());

/**
 * Sends a message, and leaves. The functions get a promise of that. Returns the line that is then
 * logged.
 */
const leaveAfter = async (
  message: string,
  handlersOf: (left: Promise<unknown>) => Partial<Handlers>,
): Promise<string> => {
  const left = Promise.withResolvers<AccessRecord>();
  const url = await serveApi(apiWith(handlersOf(left.promise)), left.resolve);
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write(message, () => client.resetAndDestroy());
  return readableLine(await left.promise);
};

const messageOf = (method: string, path: string, headers: string[], body = '') =>
  [
    `${method} /staging/v1/inventory${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${createApiKey('staging')}`,
    ...headers,
    `\r\n${body}`,
  ].join('\r\n');
const update = (contentLength: number) =>
  messageOf('PATCH', '/1', [`Content-Length: ${contentLength}`], 'body');
/** What the log says of an update without a response: a hyphen for its status. */
const unanswered = / PATCH \/staging\/v1\/inventory\/1 - \d+ ms$/;

test('a request that has arrived is handled although its client leaves, and logged without a status', async () => {
  const handled = Promise.withResolvers<string>();
  const line = await leaveAfter(update(4), (left) => ({
    Authorizer: () => left.then(() => decision()),
    UpdateInventory: ({ body }) => {
      handled.resolve(body);
      return { statusCode: 200 };
    },
  }));
  expect(line).toMatch(unanswered);
  expect(await handled.promise).toBe('body');
});

// The body that fails to arrive is a rejected promise, which after a Deny nobody awaits. Jest fails a
// test that leaves a rejection unhandled; `petstore start` would end.
test.each(['Allow', 'Deny'] as const)(
  'a client that leaves in the middle of a body causes no update and no message, if its key gets %s',
  async (effect) => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const UpdateInventory = jest.fn();
    const line = await leaveAfter(update(9), (left) => ({
      Authorizer: () => left.then(() => decision(effect)),
      UpdateInventory,
    }));
    expect(line).toMatch(unanswered);
    // By the time that another request has its response, the server has learned of what came before.
    await sendRaw(await serveApi(apiWith({})), { path: '/staging' });
    expect([UpdateInventory.mock.calls, printed.mock.calls]).toStrictEqual([[], []]);
  },
);

// Otherwise its function would be busy until its time is over, and nine more would block all lists.
test('a list whose client leaves before it begins is not read further', async () => {
  const result = new PassThrough();
  await leaveAfter(messageOf('GET', '', []), (left) => ({
    ListInventory: async () => {
      await left;
      result.write(`{"statusCode":200}${metadataEnd}[1`);
      return result;
    },
  }));
  await until('the end of the result', () => result.destroyed);
});
