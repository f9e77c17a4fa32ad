import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { jsonBody, pathParameter, requestHeader } from '../../../functions/http/json-request.ts';
import { eventOf, patchEvent } from '../../support/functions.ts';

const parsed = (event: APIGatewayProxyEvent): unknown => {
  jsonBody().before?.({ event } as never);
  return event.body;
};

const withType = (type: string) => eventOf({ body: '{}', headers: { 'Content-Type': [type] } });
const withBody = (body: string | null) => patchEvent('1', body);

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
        expect(parsed(event)).toEqual({ quantity: 7 });
      }),
    );
  });

  const wrongType = (given: string) => ['unsupported_content_type', `Content-Type must be application/json, ${given}.`];
  const missing = ['invalid_body', 'A body is required: {"quantity": <integer>}.'];
  const noJson = ['invalid_body', 'The body is not valid JSON.'];
  const forbiddenKey = ['invalid_body', 'The body must be {"quantity": <integer>} and nothing more.'];

  test.each([
    [wrongType('and is missing'), eventOf({ body: '{}' })],
    [wrongType('and is missing'), withType('')],
    [wrongType('not "text/json"'), withType('text/json')],
    [wrongType('not "application/json5"'), withType('application/json5')],
    [wrongType('not "xapplication/json"'), withType('xapplication/json')],
    [wrongType('not "application/json, text/p…"'), withType('application/json, text/plain')],
    [wrongType('not "*/*"'), withType('*/*')],
    [missing, withBody(null)],
    [missing, withBody('')],
    [noJson, withBody('{')],
    [noJson, withBody('{"quantity":07}')],
    [noJson, withBody("{'quantity':7}")],
    [noJson, withBody('undefined')],
    [noJson, withBody('\ufeff{}')],
    [noJson, withBody('['.repeat(4_096))],
    [forbiddenKey, withBody('{"__proto__":{}}')],
    [forbiddenKey, withBody('{"a":[{"constructor":{"prototype":{}}}]}')],
  ])('is rejected: %j', ([code, message], event) => {
    expect(() => parsed(event)).toThrow(expect.objectContaining({ name: 'ApiError', code, message }));
  });

  test('has at most 4,096 bytes of UTF-8, and may be as deep as they allow', () => {
    const code = 'request_too_large';
    const tooLarge = (bytes: number) =>
      expect.objectContaining({ code, message: `The body must have at most 4096 bytes, not ${bytes}.` });
    const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;

    expect(parsed(withBody(deep))).toEqual(JSON.parse(deep));
    expect(parsed(patchEvent('1', btoa(deep), true))).toEqual(JSON.parse(deep));
    expect(() => parsed(withBody(`${deep} `))).toThrow(tooLarge(4_097));
    expect(() => parsed(patchEvent('1', btoa(`${deep} `), true))).toThrow(tooLarge(4_097));
    // Two bytes each, and before anything else is looked at.
    expect(() => parsed(eventOf({ body: 'é'.repeat(2_049) }))).toThrow(tooLarge(4_098));
  });
});

test('a path parameter is percent-decoded if it can be', () => {
  const parameterOf = (raw: string) => pathParameter(patchEvent(raw, null), 'petId');
  expect(['%31%2d', '%zz', '%ff', '1'].map(parameterOf)).toEqual(['1-', '%zz', '%ff', '1']);
  expect(pathParameter(eventOf(), 'petId')).toBe('');
});

test('a header may be sent more than once, and in more than one spelling', () => {
  const headers = { 'Accept-Encoding': ['a', 'b'], 'ACCEPT-ENCODING': ['c'], Accept: ['d'] };
  expect(requestHeader(eventOf({ headers }), 'accept-encoding')).toBe('a, b, c');
  expect(requestHeader({ ...eventOf(), multiValueHeaders: null as never }, 'accept')).toBe('');
});
