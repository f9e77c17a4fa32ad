import { expect, test } from '@jest/globals';
import { TransientError } from '../../../functions/dynamodb/transient-error.ts';
import { ApiError } from '../../../functions/errors/api-error.ts';
import { httpHandler, jsonResponse } from '../../../functions/http/http-handler.ts';
import { captureLog, requestLine } from '../../support/capture-log.ts';
import { contextWith, errorResult, eventOf, internalError, unavailable } from '../../support/functions.ts';

const log = captureLog();

const responseTo = async (error: unknown) => {
  const handler = httpHandler('test').handler(async () => {
    throw error;
  });
  return handler(eventOf(), contextWith(10_000));
};
const named = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('a secret'), { name, $metadata: { httpStatusCode } });

test.each([
  ['a transient error', new TransientError('a secret', { cause: new Error('why') }), unavailable],
  ['throttling', named('ThrottlingException'), unavailable],
  ['a failure of DynamoDB', named('InternalServerError', 500), unavailable],
  ['another error of DynamoDB', named('AccessDeniedException', 400), internalError],
  ['no error', 'a secret', internalError],
])(
  '%s that is thrown becomes a response that tells no secret, and a line that tells all',
  async (_, error, response) => {
    expect(await responseTo(error)).toEqual(response);
    const { code, status } = JSON.parse(response.body);
    const fields = { level: 'ERROR', operation: 'test', status, code, errorMessage: 'a secret', Faults: 1 };
    expect(log).toEqual([expect.objectContaining(fields)]);
  },
);

test('a thrown ApiError is for the client, and no fault', async () => {
  const message = 'This is for the client.';
  expect(await responseTo(new ApiError('bad_request', message))).toEqual(errorResult(400, 'bad_request', message));
  expect(log).toEqual([requestLine('test', { status: 400, code: 'bad_request' })]);
});

test('a handler has until its time is up: 504, and it is told', async () => {
  let told: boolean | undefined;
  const handler = httpHandler('test').handler(async (_event, _context, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    told = signal.aborted;
    return jsonResponse(200, {});
  });
  expect(await handler(eventOf(), contextWith(1_200))).toEqual(
    errorResult(504, 'gateway_timeout', 'The request took too long. Try again later.'),
  );
  expect(told).toBe(true);
  expect(log).toEqual([expect.objectContaining({ level: 'ERROR', status: 504, errorType: 'ApiError', Faults: 1 })]);
  expect(log[0].durationMs).toBeGreaterThan(150);
  expect(log[0].durationMs).toBeLessThan(5_000);
});
