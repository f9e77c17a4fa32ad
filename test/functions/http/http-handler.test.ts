import { expect, test } from '@jest/globals';
import { captureLog } from '../../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  internalError,
} from '../../support/functions/functions.ts';
import { takeMiddyTimer } from '../../support/functions/middy-timer.ts';
import { errors } from '../../support/http/rejections.ts';

const { timeIsOver, timeOfRequest } = takeMiddyTimer();
const { httpHandler, jsonResponse } = await import('../../../functions/http/http-handler.ts');

const log = captureLog();

test('a thrown value that is not an Error is hidden from the client, and logged', async () => {
  const handler = httpHandler('test').handler(async () => {
    throw 'a secret';
  });
  expect(await handler(eventOf(), contextWith(10_000))).toEqual(internalError);
  const fields = {
    level: 'ERROR',
    operation: 'test',
    status: 500,
    code: 'internal_error',
    Faults: 1,
  };
  expect(log).toEqual([expect.objectContaining({ ...fields, errorMessage: 'a secret' })]);
});

test('a handler that takes too long is aborted, and the response is a 504', async () => {
  let aborted: boolean | undefined;
  const handler = httpHandler('test').handler(async (_event, _context, { signal }) => {
    setImmediate(timeIsOver);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    aborted = signal.aborted;
    return jsonResponse(200, {});
  });
  expect(await handler(eventOf(), contextWith(10_000))).toEqual(errorResult(...errors.timeout));
  expect(aborted).toBe(true);
  // A second before Lambda would end it.
  expect(Math.abs(timeOfRequest() - 9_000)).toBeLessThan(500);
  expect(log).toEqual([
    expect.objectContaining({ level: 'ERROR', status: 504, errorType: 'ApiError', Faults: 1 }),
  ]);
});

test('a request with two keys is refused before its handler is called', async () => {
  const handler = httpHandler('test').handler(async () => jsonResponse(200, {}));
  const two = ['Bearer one', 'Bearer two'];
  const refused = errorResult(
    400,
    'bad_request',
    'The request must have one Authorization header.',
  );
  const twice: Record<string, string[]>[] = [
    { Authorization: two },
    { Authorization: ['Bearer one'], authorization: ['Bearer two'] },
  ];
  for (const headers of twice) {
    expect(await handler(eventOf({ headers }), contextWith(10_000))).toEqual(refused);
  }
  const { statusCode } = await handler(
    eventOf({ headers: { Authorization: ['Bearer one'] } }),
    contextWith(10_000),
  );
  expect(statusCode).toBe(200);
});
