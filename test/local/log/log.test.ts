import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Integration } from '../../../local/gateway/integrations/integration.ts';
import { endResponse } from '../../../local/gateway/responses/end-response.ts';
import {
  type AccessRecord,
  accessLine,
  isRequestLine,
  readableLine,
} from '../../../local/log/access-log.ts';
import { printFailure, printLine } from '../../../local/log/print.ts';
import { clientsAt } from '../../support/http/clients-at.ts';
import { responseOf } from '../../support/http/fixture-gateway.ts';

clientsAt('192.0.2.1');

describe('the gateway logs of a request', () => {
  test('its details, when its response has ended', async () => {
    const records: AccessRecord[] = [];
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const integrate: Integration = async (_request, response) => {
      now.mockReturnValue(1_042);
      response.end();
    };
    const message = { path: '/pets?a=b', headers: { 'User-Agent': 'jest' } };
    const { headers } = await responseOf(integrate, message, { log: (one) => records.push(one) });
    now.mockRestore();
    expect(records).toEqual([
      {
        requestId: headers['x-amzn-requestid'],
        extendedRequestId: headers['x-amz-apigw-id'],
        requestTimeEpoch: Math.round(performance.timeOrigin + 1_000),
        responseLatency: 42,
        status: 200,
        httpMethod: 'GET',
        path: '/test/pets',
        stage: 'test',
        resourcePath: '/pets',
        'identity.sourceIp': '192.0.2.1',
        'identity.userAgent': 'jest',
        'authorizer.keyId': undefined,
      },
    ]);
  });

  test.each([
    { status: 404, body: '{"code":"pet_not_found"}', errorCode: 'pet_not_found' },
    { status: 400, body: '{"code":"invalid_body"}', errorCode: 'invalid_body' },
    { status: 200, body: '{"code":"pet_not_found"}', errorCode: undefined },
    { status: 502, body: '{"code":7}', errorCode: undefined },
    { status: 413, body: 'no JSON', errorCode: undefined },
  ])('with the status $status and the body $body the code $errorCode', async (row) => {
    const records: AccessRecord[] = [];
    const integrate: Integration = async ({ record }, response) => {
      response.statusCode = row.status;
      endResponse(response, record, row.body);
    };
    const response = await responseOf(integrate, {}, { log: (one) => records.push(one) });
    expect(response).toMatchObject({ status: row.status, text: row.body });
    expect(records[0]?.errorCode).toBe(row.errorCode);
  });
});

describe('an access log line in the format of the stage', () => {
  test('has the value of each variable, and a hyphen for one that is unknown', () => {
    const format = '{"status":"$context.status","waf":"$context.wafResponseCode"}';
    expect(accessLine(format, { status: 404 })).toBe('{"status":"404","waf":"-"}');
  });

  test('is JSON whatever a client has sent', () => {
    const format = '{"path":"$context.path","agent":"$context.identity.userAgent"}';
    const path = '/"\\\0\n\x1b\u2028\ud800";$context.path,$&';
    const line = accessLine(format, { path, 'identity.userAgent': '"}' });
    expect(JSON.parse(line)).toEqual({ path, agent: '"}' });
  });
});

describe('a readable access log line', () => {
  const record = {
    requestTimeEpoch: new Date(2026, 10, 22, 9, 5, 7).getTime(),
    httpMethod: 'PATCH',
    path: '/staging/v1/inventory/1',
    status: 200,
    responseLatency: 12,
    stage: 'staging',
  };

  test.each([
    {
      what: 'the time, the request, its status and how long it took',
      more: {},
      line: '09:05:07 PATCH /staging/v1/inventory/1 200 12 ms',
    },
    {
      what: 'the id of the key',
      more: { 'authorizer.keyId': 'b5f1' },
      line: '09:05:07 PATCH /staging/v1/inventory/1 200 12 ms key b5f1',
    },
    {
      what: 'the code of an error',
      more: { status: 404, errorCode: 'pet_not_found', 'authorizer.keyId': 'b5f1' },
      line: '09:05:07 PATCH /staging/v1/inventory/1 404 pet_not_found 12 ms key b5f1',
    },
    {
      what: 'a hyphen for a status that was not sent',
      more: { status: undefined },
      line: '09:05:07 PATCH /staging/v1/inventory/1 - 12 ms',
    },
    {
      what: 'why a path outside the stage is forbidden',
      more: { path: '/v1/inventory/1', status: 403, 'error.responseType': 'FORBIDDEN' },
      line:
        '09:05:07 PATCH /v1/inventory/1 403 12 ms ' +
        '(outside the stage, whose paths begin with /staging/)',
    },
  ])('has $what', ({ more, line }) => {
    expect(readableLine({ ...record, ...more })).toBe(line);
  });
});

test.each([
  { line: '{"level":"INFO","requestId":"1","operation":"listInventory"}', isRequest: true },
  { line: '{"level":"INFO","requestId":"1","message":"of console.log"}', isRequest: false },
  { line: '{"level":"ERROR","requestId":"1"}', isRequest: false },
  { line: 'null', isRequest: false },
  { line: 'SyntaxError', isRequest: false },
])('$line is the line of a request: $isRequest', ({ line, isRequest }) => {
  expect(isRequestLine(line)).toBe(isRequest);
});

describe('what is printed', () => {
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const error = jest.spyOn(console, 'error').mockReturnValue();
  afterEach(() => void jest.clearAllMocks());

  /** Every control character, from C0 and C1, but the two that a text may have. */
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /\p{Cc}/u.test(character) && !/[\t\n]/.test(character),
  );

  test('has each control character escaped as in JSON', () => {
    printLine(controls.join(''));
    const [[printed]] = log.mock.calls as [[string]];
    expect(printed).toMatch(/^(\\u00[0-9a-f]{2})*$/);
    expect(JSON.parse(`"${printed}"`)).toBe(controls.join(''));
  });

  test('has all other text as it is', () => {
    const text = 'tab\t, line feed\n, ünï, \u2028, 😀';
    printLine(text);
    expect(log.mock.calls).toEqual([[text]]);
  });

  test('of a failure has its stack and its cause, and no control characters', () => {
    const cause = new Error('because of \x1b[2J');
    printFailure(new Error('it failed', { cause }));
    const [[printed]] = error.mock.calls as [[string]];
    expect(printed).toMatch(/^Error: it failed\n +at .*\[cause\]: Error: because of /s);
    expect(printed).not.toContain('\x1b');
  });

  test('of a failure that is a line is that line', () => {
    printFailure('The response was cut:\x9b');
    expect(error.mock.calls).toEqual([['The response was cut:\\u009b']]);
  });
});
