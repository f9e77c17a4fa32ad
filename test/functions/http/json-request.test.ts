import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { ApiError } from '../../../functions/errors/api-error.ts';
import { jsonBody as bodyParser, pathParameter, requestHeader } from '../../../functions/http/json-request.ts';
import { eventOf, patchEvent } from '../../support/functions.ts';
import { expectLinear } from '../../support/linear.ts';

const jsonBody = (event: APIGatewayProxyEvent): unknown => {
  bodyParser().before?.({ event } as never);
  return event.body;
};

const withType = (type: string | undefined, body: string | null = '{"quantity":7}') =>
  eventOf({ body, ...(type !== undefined && { headers: { 'Content-Type': [type] } }) });

const error = (code: string, message: string) => expect.objectContaining({ name: 'ApiError', code, message });

const thrownBy = (run: () => unknown): unknown => {
  try {
    return { returned: run() };
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ApiError);
    return thrown;
  }
};

describe('the body of a request', () => {
  const anyCase = (text: string) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((upper) => [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter)).join(''));

  test('is JSON in any case of its type and of the name of the header, with any parameters', () => {
    const parameters = fc.constantFrom('', ';', '; charset=utf-8', ' ;a=b', '\t; a');
    fc.assert(
      fc.property(anyCase('content-type'), anyCase('application/json'), parameters, (name, type, more) => {
        const event = eventOf({ body: '{"quantity":7}', headers: { Accept: ['*/*'], [name]: [type + more] } });
        expect(jsonBody(event)).toEqual({ quantity: 7 });
      }),
    );
  });

  test.each([
    [undefined, 'and is missing'],
    ['', 'and is missing'],
    ['text/json', 'not "text/json"'],
    ['application/json5', 'not "application/json5"'],
    ['xapplication/json', 'not "xapplication/json"'],
    ['application/json, text/plain', 'not "application/json, text/p…"'],
    ['*/*', 'not "*/*"'],
  ])('of type %j is rejected', (type, given) => {
    expect(thrownBy(() => jsonBody(withType(type)))).toEqual(
      error('unsupported_content_type', `Content-Type must be application/json, ${given}.`),
    );
  });

  test.each([null, ''])('is required: %j', (body) => {
    expect(thrownBy(() => jsonBody(withType('application/json', body)))).toEqual(
      error('invalid_body', 'A body is required: {"quantity": <integer>}.'),
    );
  });

  test.each(['{', '{"quantity":07}', "{'quantity':7}", 'undefined', '\ufeff{}', '['.repeat(4_096)])(
    'is rejected if it is no JSON',
    (body) => {
      expect(thrownBy(() => jsonBody(withType('application/json', body)))).toEqual(
        error('invalid_body', 'The body is not valid JSON.'),
      );
    },
  );

  test.each(['{"__proto__":{}}', '{"a":[{"constructor":{"prototype":{}}}]}'])(
    'has no key that names a prototype: %s',
    (body) => {
      expect(thrownBy(() => jsonBody(withType('application/json', body)))).toEqual(
        error('invalid_body', 'The body must be {"quantity": <integer>} and nothing more.'),
      );
    },
  );

  test('may be as deep as its length allows', () => {
    const body = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;
    expect(jsonBody(withType('application/json', body))).toEqual(JSON.parse(body));
  });

  test.each(['application/json;', 'application/json ', ' ', 'a'])(
    'has a type that is read in linear time: %j',
    (part) => {
      expectLinear((length) => {
        const type = `application/json${' '.repeat(length)}${part}`;
        return () => void thrownBy(() => jsonBody(withType(type)));
      });
    },
  );
});

test('a path parameter is percent-decoded if it can be', () => {
  const parameterOf = (raw: string) => pathParameter(patchEvent(raw, null), 'petId');
  expect([parameterOf('%31%2d'), parameterOf('%zz'), parameterOf('%ff'), parameterOf('1')]).toEqual([
    '1-',
    '%zz',
    '%ff',
    '1',
  ]);
  expect(pathParameter(eventOf({}), 'petId')).toBe('');
});

test('a header may be sent more than once, and in more than one spelling', () => {
  const headers = { 'Accept-Encoding': ['a', 'b'], 'ACCEPT-ENCODING': ['c'], Accept: ['d'] };
  expect(requestHeader(eventOf({ headers }), 'accept-encoding')).toBe('a, b, c');
  expect(requestHeader({ ...eventOf({}), multiValueHeaders: null as never }, 'accept')).toBe('');
});
