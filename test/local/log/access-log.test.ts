import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accessLine, isRequestLine, readableLine } from '../../../local/log/access-log.ts';

describe('an access log line in the format of the stage', () => {
  test('has the value of each variable, and a hyphen for one that is unknown', () => {
    const format = '{"status":"$context.status","waf":"$context.wafResponseCode"}';
    expect(accessLine(format, { status: 404 })).toBe('{"status":"404","waf":"-"}');
  });

  test('is JSON whatever a client has sent', () => {
    const format = '{"path":"$context.path","agent":"$context.identity.userAgent"}';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (path, agent) => {
        const line = accessLine(format, { path, 'identity.userAgent': agent });
        expect(JSON.parse(line)).toEqual({ path, agent });
      }),
    );
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
