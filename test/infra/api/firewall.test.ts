import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

/** A request as WAF sees it. */
interface WafRequest {
  method: string;
  path: string;
  authorization?: string;
  /** Headers beside Authorization. */
  others?: string[];
}

/** What AWS documents of the headers that WAF is given: the rest of a larger request is missing. */
const inspectedHeaders = { count: 200, bytes: 8_192 };

const headersOf = ({ authorization, others = [] }: WafRequest): string[] => [
  ...others,
  ...(authorization === undefined ? [] : [`authorization:${authorization}`]),
];

const isOversized = (request: WafRequest): boolean =>
  headersOf(request).length > inspectedHeaders.count ||
  headersOf(request).join('').length > inspectedHeaders.bytes;

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
    .reduce((before, { Type }) => (transform[Type] as (text: string) => string)(before), text);

/** Returns the part of a request that a statement inspects; undefined if it has none. */
const inspected = (request: WafRequest, field: Json): string | undefined => {
  if (field.SingleHeader) {
    expect(field.SingleHeader).toStrictEqual({ Name: 'authorization' });
    return request.authorization;
  }
  if (field.Method) {
    return request.method;
  }
  expect(field).toStrictEqual({ UriPath: {} });
  return request.path;
};

const matches = (request: WafRequest, statement: Json): boolean => {
  const { AndStatement, NotStatement, SizeConstraintStatement: size } = statement;
  const { RegexMatchStatement: regex } = statement;
  if (size) {
    expect(size.FieldToMatch.Headers).toStrictEqual({
      MatchPattern: { All: {} },
      MatchScope: 'ALL',
      OversizeHandling: 'MATCH',
    });
    expect(size.ComparisonOperator).toBe('GT');
    return isOversized(request) || headersOf(request).some((each) => each.length > size.Size);
  }
  if (AndStatement) {
    return AndStatement.Statements.every((each: Json) => matches(request, each));
  }
  if (NotStatement) {
    return !matches(request, NotStatement.Statement);
  }
  const text = inspected(request, regex.FieldToMatch);
  return (
    text !== undefined &&
    new RegExp(regex.RegexString).test(transformed(text, regex.TextTransformations))
  );
};

const [firstRule, ...rateRules]: Json[] = stackOf('prod').all('AWS::WAFv2::WebACL')[0].Rules;

/** Returns the rules that count a request. */
const rulesFor = (request: WafRequest): Json[] =>
  rateRules.filter(({ Statement: { RateBasedStatement: rate } }) =>
    rate.ScopeDownStatement ? matches(request, rate.ScopeDownStatement) : true,
  );

const namesOf = (rules: Json[]): string[] => rules.map(({ Name }) => Name);

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
    { what: 'an update', method: 'PATCH', path: '/prod/v1/inventory/1', rules: anyRequest },
    { what: 'a GET of one pet', method: 'GET', path: '/prod/v1/inventory/1', rules: anyRequest },
    { what: 'a GET of no path', method: 'GET', path: '/prod/v1/pets', rules: anyRequest },
    { what: 'a POST of lists', method: 'POST', path: '/prod/v1/inventory', rules: anyRequest },
  ])('$what', ({ method, path, rules }) => {
    expect(namesOf(rulesFor({ method, path, authorization }))).toStrictEqual(rules);
  });

  const withoutKey = ['RequestsWithoutKey', 'AllRequests'];
  test.each([
    { what: 'no header', header: {} },
    { what: 'a key of another stage', header: { authorization: `Bearer ${createApiKey('dev')}` } },
    { what: 'a key in upper case', header: { authorization: `Bearer ${key.toUpperCase()}` } },
    { what: 'another scheme', header: { authorization: `Basic ${key}` } },
  ])('a request with $what as one without a key', ({ header }) => {
    const request = { method: 'PATCH', path: '/prod/v1/inventory/1', ...header };
    expect(namesOf(rulesFor(request))).toStrictEqual(withoutKey);
  });

  test('a list without a key by its address alone', () => {
    const rules = rulesFor({ method: 'GET', path: '/prod/v1/inventory' });
    expect(namesOf(rules)).toStrictEqual(['RequestsWithoutKey', 'ListRequests', 'AllRequests']);
  });
});

/** Returns the client for whom the rules by key count a request: what tells keys apart. */
const clientOf = (spelling: string): string => {
  const rules = rulesFor({ method: 'GET', path: '/prod/v1/inventory', authorization: spelling });
  const headers = rules.flatMap(
    ({ Statement }) => Statement.RateBasedStatement.CustomKeys ?? [],
  ) as Json[];
  const values = headers.map(({ Header }) => transformed(spelling, Header.TextTransformations));
  expect(new Set(values).size).toBe(1);
  return values[0] as string;
};

/** An Authorization header that the authorizer accepts. */
const spellings = fc
  .record({
    scheme: fc.mixedCase(fc.constant('bearer')),
    spaces: fc.integer({ min: 1, max: 20 }).map((count) => ' '.repeat(count)),
  })
  .map(({ scheme, spaces }) => `${scheme}${spaces}${key}`);

test('every spelling of a key that the authorizer accepts is one client of the firewall', () => {
  const [{ IdentityValidationExpression: accepted }] = stackOf('prod').all(
    'AWS::ApiGateway::Authorizer',
  );
  fc.assert(
    fc.property(spellings, (spelling) => {
      expect(spelling).toMatch(new RegExp(accepted));
      expect(clientOf(spelling)).toBe(clientOf(authorization));
    }),
  );
});

test('beyond a limit, a client gets a 429 until a minute has fewer requests', () => {
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
});

test('two keys are two clients of the firewall', () => {
  expect(clientOf(`Bearer ${createApiKey('prod')}`)).not.toBe(clientOf(authorization));
});

describe('before it counts, the firewall', () => {
  const list = { method: 'GET', path: '/prod/v1/inventory', authorization };
  const tiny = (count: number) => Array(count).fill('a:b');

  test.each([
    { what: 'lets the usual request pass', others: ['host:h', 'user-agent:u'], isBlocked: false },
    { what: 'lets 200 headers pass', others: tiny(199), isBlocked: false },
    { what: 'blocks more headers', others: tiny(200), isBlocked: true },
    { what: 'blocks larger headers', others: [`a:${'b'.repeat(8_192)}`], isBlocked: true },
  ])('$what', ({ others, isBlocked }) => {
    expect(matches({ ...list, others }, firstRule.Statement)).toBe(isBlocked);
  });
});

test('the patterns have nothing that WAF does not support', () => {
  const patterns = JSON.stringify(rateRules).match(/(?<="RegexString":)"(?:[^"\\]|\\.)*"/g);
  const [hasKey, isGet, isListPath, ...others] = new Set(patterns?.map((text) => JSON.parse(text)));
  expect([hasKey, isGet, isListPath, others]).toStrictEqual([
    '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_prod_[0-9a-f]{48}$',
    '^GET$',
    // Of groups, only those that capture nothing.
    '^(?:/[^/]+)?\\/v1\\/inventory/?$',
    [],
  ]);
});
