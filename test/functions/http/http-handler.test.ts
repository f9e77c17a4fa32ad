import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { TransientError } from '../../../functions/dynamodb/transient-error.ts';
import { ApiError } from '../../../functions/errors/api-error.ts';
import { httpHandler, jsonResponse } from '../../../functions/http/http-handler.ts';
import { captureLog } from '../../support/capture-log.ts';
import { contextWith, errorResult, eventOf } from '../../support/functions.ts';

const named = (name: string, properties = {}) => Object.assign(new Error('a secret'), { name, ...properties });
const internal = errorResult(500, 'internal_error', 'Something went wrong on our side. Try again later.');
const unavailable = errorResult(
  503,
  'service_unavailable',
  'The inventory cannot be reached for the moment. Try again.',
  { 'Retry-After': '1' },
);

describe('what a handler throws', () => {
  let log: Record<string, unknown>[];
  beforeEach(() => {
    log = captureLog();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const responseTo = async (error: unknown) => {
    const handler = httpHandler('test').handler(async () => {
      throw error;
    });
    return handler(eventOf({}), contextWith(10_000));
  };

  test.each([
    ['a transient error', new TransientError('a secret', { cause: new Error('why') }), unavailable],
    ['throttling', named('ThrottlingException'), unavailable],
    ['a failure of DynamoDB', named('InternalServerError', { $metadata: { httpStatusCode: 500 } }), unavailable],
    ['another error of DynamoDB', named('AccessDeniedException', { $metadata: { httpStatusCode: 400 } }), internal],
    ['any error', named('TypeError'), internal],
    ['no error', 'a secret', internal],
  ])('becomes a response that tells no secret, and a line that tells all: %s', async (_what, error, response) => {
    expect(await responseTo(error)).toEqual(response);
    const { code } = JSON.parse(response.body);
    expect(log).toEqual([
      expect.objectContaining({ level: 'ERROR', operation: 'test', status: response.statusCode, code, Faults: 1 }),
    ]);
    expect(log[0]).toMatchObject({ errorMessage: 'a secret' });
  });

  test.each([
    ['bad_request', 400, {}],
    ['pet_not_found', 404, { NotFound: 1 }],
  ] as const)('is no fault if it is %s', async (code, status, counts) => {
    expect(await responseTo(new ApiError(code, 'This is for the client.'))).toEqual(
      errorResult(status, code, 'This is for the client.'),
    );
    expect(log[0]).toMatchObject({ level: 'INFO', status, code, ...counts });
    expect(log[0]).not.toHaveProperty('Faults');
    expect(log[0]).not.toHaveProperty('errorType');
    expect('NotFound' in (log[0] ?? {})).toBe('NotFound' in counts);
  });

  test('may be nothing until its time is up: 504, and the handler is told', async () => {
    let told: boolean | undefined;
    const handler = httpHandler('test').handler(async (_event, _context, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      told = signal.aborted;
      return jsonResponse(200, {});
    });
    expect(await handler(eventOf({}), contextWith(1_200))).toEqual(
      errorResult(504, 'gateway_timeout', 'The request took too long. Try again later.'),
    );
    expect(told).toBe(true);
    expect(log).toEqual([expect.objectContaining({ level: 'ERROR', status: 504, errorType: 'ApiError', Faults: 1 })]);
    expect(Number(log[0]?.durationMs)).toBeGreaterThan(150);
    expect(Number(log[0]?.durationMs)).toBeLessThan(5_000);
  });
});
