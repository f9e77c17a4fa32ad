import { describe, expect, test } from '@jest/globals';
import { TransientError } from '../../../functions/dynamodb/transient-error.ts';
import { ApiError } from '../../../functions/errors/api-error.ts';
import { httpHandler, jsonResponse } from '../../../functions/http/http-handler.ts';
import { captureLog } from '../../support/capture-log.ts';
import { contextWith, errorResult, eventOf, internalError } from '../../support/functions.ts';

const named = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('a secret'), { name, $metadata: { httpStatusCode } });
const unavailable = errorResult(
  503,
  'service_unavailable',
  'The inventory cannot be reached for the moment. Try again.',
  { 'Retry-After': '1' },
);

describe('what a handler throws', () => {
  const log = captureLog();

  const responseTo = async (error: unknown) => {
    const handler = httpHandler('test').handler(async () => {
      throw error;
    });
    return handler(eventOf(), contextWith(10_000));
  };

  test.each([
    ['a transient error', new TransientError('a secret', { cause: new Error('why') }), unavailable],
    ['throttling', named('ThrottlingException'), unavailable],
    ['a failure of DynamoDB', named('InternalServerError', 500), unavailable],
    ['another error of DynamoDB', named('AccessDeniedException', 400), internalError],
    ['any error', new TypeError('a secret'), internalError],
    ['no error', 'a secret', internalError],
  ])('becomes a response that tells no secret, and a line that tells all: %s', async (_what, error, response) => {
    expect(await responseTo(error)).toEqual(response);
    const { code, status } = JSON.parse(response.body);
    const fields = { level: 'ERROR', operation: 'test', status, code, errorMessage: 'a secret', Faults: 1 };
    expect(log).toEqual([expect.objectContaining(fields)]);
  });

  test.each([
    ['bad_request', 400, undefined],
    ['pet_not_found', 404, 1],
  ] as const)('is no fault if it is %s', async (code, status, NotFound) => {
    const message = 'This is for the client.';
    expect(await responseTo(new ApiError(code, message))).toEqual(errorResult(status, code, message));
    const { level, Faults, errorType, ...line } = log[0];
    expect([level, Faults, errorType]).toEqual(['INFO', undefined, undefined]);
    expect([line.status, line.code, line.NotFound]).toEqual([status, code, NotFound]);
  });

  test('may be nothing until its time is up: 504, and the handler is told', async () => {
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
});
