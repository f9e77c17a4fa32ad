import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { operations } from '../../../infra/service/operations.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

/** A request as the firewall sees it. Its headers are lines, such as `a:b`. */
interface WafRequest {
  method: string;
  path: string;
  authorization?: string;
  others?: string[];
}

/** What AWS documents of each transformation that the template uses. */
const transform: Record<string, (text: string) => string> = {
  NONE: (text) => text,
  LOWERCASE: (text) => text.toLowerCase(),
  COMPRESS_WHITE_SPACE: (text) => text.replaceAll(/[ \f\t\n\r\v\u00a0]+/g, ' '),
  URL_DECODE: decodeURIComponent,
  NORMALIZE_PATH: (path) => new URL(path.replaceAll(/\/{2,}/g, '/'), 'http://host').pathname,
};

const transformed = (text: string, transformations: Json[]): string =>
  transformations
    .toSorted((a, b) => a.Priority - b.Priority)
    .reduce((before, { Type }) => transform[Type]?.(before) ?? '', text);

/** Returns the part of a request that a statement inspects; undefined if it has none. */
const inspected = (request: WafRequest, field: Json): string | undefined =>
  ({
    '{"SingleHeader":{"Name":"authorization"}}': request.authorization,
    '{"Method":{}}': request.method,
    '{"UriPath":{}}': request.path,
  })[JSON.stringify(field)];

/** WAF is given 200 headers and 8 KB of them. Oversize handling decides on a request with more. */
const isOversized = ({ authorization, others = [] }: WafRequest): boolean => {
  const headers = authorization ? [...others, `authorization:${authorization}`] : others;
  return headers.length > 200 || headers.join('').length > 8_192;
};

const matches = (request: WafRequest, statement: Json): boolean => {
  const { AndStatement, NotStatement, SizeConstraintStatement, RegexMatchStatement } = statement;
  if (AndStatement) {
    return AndStatement.Statements.every((each: Json) => matches(request, each));
  }
  if (NotStatement) {
    return !matches(request, NotStatement.Statement);
  }
  if (SizeConstraintStatement) {
    const { FieldToMatch, ComparisonOperator, Size } = SizeConstraintStatement;
    expect([ComparisonOperator, Size]).toStrictEqual(['GT', 8_192]);
    return FieldToMatch.Headers.OversizeHandling === 'MATCH' && isOversized(request);
  }
  const { RegexString, FieldToMatch, TextTransformations } = RegexMatchStatement;
  const text = inspected(request, FieldToMatch);
  return text !== undefined && new RegExp(RegexString).test(transformed(text, TextTransformations));
};

const [webAcl] = stackOf('prod').all('AWS::WAFv2::WebACL');
const [firstRule, ...rateRules]: Json[] = webAcl.Rules;

/** Returns the names of the rules that count a request. */
const rulesFor = (request: WafRequest): string[] =>
  rateRules
    .filter(({ Statement: { RateBasedStatement: rate } }) =>
      rate.ScopeDownStatement ? matches(request, rate.ScopeDownStatement) : true,
    )
    .map(({ Name }) => Name);

const key = createApiKey('prod');
const authorization = `Bearer ${key}`;

describe('the firewall counts', () => {
  const anyRequest = ['AllRequests', 'AllRequestsOfKey'];
  const list = ['ListRequests', 'AllRequests', 'ListRequestsOfKey', 'AllRequestsOfKey'];
  test.each([
    { what: 'a list', method: 'GET', path: '/prod/v1/inventory', rules: list },
    { what: 'a list with a final slash', method: 'GET', path: '/prod/v1/inventory/', rules: list },
    { what: 'a list at its own domain', method: 'GET', path: '/v1/inventory', rules: list },
    { what: 'an encoded path', method: 'GET', path: '/prod/v1/inventor%79', rules: list },
    { what: 'doubled slashes', method: 'GET', path: '/prod//v1/inventory', rules: list },
    { what: 'a GET of one pet', method: 'GET', path: '/prod/v1/inventory/1', rules: anyRequest },
    { what: 'a POST of lists', method: 'POST', path: '/prod/v1/inventory', rules: anyRequest },
  ])('$what', ({ method, path, rules }) => {
    expect(rulesFor({ method, path, authorization })).toStrictEqual(rules);
  });

  test.each(operations)('$operationId as what its limits are for', (operation) => {
    const { method, path, streams } = operation;
    const request = { method, path: `/prod/v1${path.replace('{petId}', '1')}`, authorization };
    expect(rulesFor(request)).toStrictEqual(streams ? list : anyRequest);
  });

  test.each([
    { what: 'no header', header: {} },
    {
      what: 'a key of another stage',
      header: { authorization: `Bearer ${createApiKey('another')}` },
    },
    { what: 'a key in upper case', header: { authorization: `Bearer ${key.toUpperCase()}` } },
    { what: 'another scheme', header: { authorization: `Basic ${key}` } },
  ])('a request with $what by its address alone', ({ header }) => {
    const request = { method: 'GET', path: '/prod/v1/inventory', ...header };
    expect(rulesFor(request)).toStrictEqual(['RequestsWithoutKey', 'ListRequests', 'AllRequests']);
  });
});

// An address is that of the connection: what a client writes into X-Forwarded-For counts for nothing.
test('the firewall tells clients apart by address, and by key only where it has counted one', () => {
  const kinds = rateRules.map(({ Name, Statement: { RateBasedStatement: rate } }) => [
    Name,
    rate.AggregateKeyType,
    rate.CustomKeys?.map(({ Header }: Json) => Header.Name),
  ]);
  expect(kinds).toStrictEqual([
    ['RequestsWithoutKey', 'IP', undefined],
    ['ListRequests', 'IP', undefined],
    ['AllRequests', 'IP', undefined],
    ['ListRequestsOfKey', 'CUSTOM_KEYS', ['authorization']],
    ['AllRequestsOfKey', 'CUSTOM_KEYS', ['authorization']],
  ]);
});

/** Returns what each rule that limits keys takes for a client with this header. */
const clientsOf = (header: string): string[] =>
  rateRules
    .flatMap(({ Statement }) => Statement.RateBasedStatement.CustomKeys ?? [])
    .map(({ Header }) => transformed(header, Header.TextTransformations));

test('every spelling of a key that the authorizer accepts is one client, and each key another', () => {
  const [{ IdentityValidationExpression: accepted }] = stackOf('prod').all(
    'AWS::ApiGateway::Authorizer',
  );
  const scheme = fc.mixedCase(fc.constant('bearer'));
  fc.assert(
    fc.property(scheme, fc.integer({ min: 1, max: 20 }), (bearer, spaces) => {
      const spelling = `${bearer}${' '.repeat(spaces)}${key}`;
      expect(spelling).toMatch(new RegExp(accepted));
      expect(clientsOf(spelling)).toStrictEqual(clientsOf(authorization));
    }),
  );
  expect(clientsOf(`Bearer ${createApiKey('prod')}`)).not.toStrictEqual(clientsOf(authorization));
});

test('beyond a limit, a client gets a 429 until a minute has fewer requests; all others pass', () => {
  const answers = rateRules.map(({ Action, Statement: { RateBasedStatement: rate } }) => ({
    ...Action.Block.CustomResponse,
    seconds: rate.EvaluationWindowSec,
  }));
  const answer = {
    ResponseCode: 429,
    CustomResponseBodyKey: 'TooManyRequests',
    ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
    seconds: 60,
  };
  expect(answers).toStrictEqual(Array(5).fill(answer));
  expect(webAcl.DefaultAction).toStrictEqual({ Allow: {} });
});

// A key among headers that WAF does not see would escape the limits by key.
test.each([
  { what: '200 headers pass', others: Array(199).fill('a:b'), isBlocked: false },
  { what: 'more headers are blocked', others: Array(200).fill('a:b'), isBlocked: true },
  { what: 'larger headers are blocked', others: [`a:${'b'.repeat(8_192)}`], isBlocked: true },
])('before the firewall counts, $what', ({ others, isBlocked }) => {
  const list = { method: 'GET', path: '/prod/v1/inventory', authorization };
  expect(matches({ ...list, others }, firstRule.Statement)).toBe(isBlocked);
  expect(firstRule.Action.Block.CustomResponse.ResponseCode).toBe(403);
});

test('the patterns have no group that captures, which WAF does not support', () => {
  const patterns = JSON.stringify(rateRules).match(/(?<="RegexString":)"(?:[^"\\]|\\.)*"/g) ?? [];
  expect(patterns).toHaveLength(7);
  expect(patterns.filter((pattern) => /\((?!\?:)/.test(pattern))).toStrictEqual([]);
});
