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
    expect(field.SingleHeader).toEqual({ Name: 'authorization' });
    return request.authorization;
  }
  if (field.Method) {
    return request.method;
  }
  expect(field).toEqual({ UriPath: {} });
  return request.path;
};

const matches = (request: WafRequest, statement: Json): boolean => {
  const { AndStatement, NotStatement, SizeConstraintStatement: size } = statement;
  const { RegexMatchStatement: regex } = statement;
  if (size) {
    expect(size.FieldToMatch.Headers).toEqual({
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
    expect(namesOf(rulesFor({ method, path, authorization }))).toEqual(rules);
  });

  const withoutKey = ['RequestsWithoutKey', 'AllRequests'];
  test.each([
    { what: 'no header', header: {} },
    { what: 'a key of another stage', header: { authorization: `Bearer ${createApiKey('dev')}` } },
    { what: 'a key in upper case', header: { authorization: `Bearer ${key.toUpperCase()}` } },
    { what: 'another scheme', header: { authorization: `Basic ${key}` } },
  ])('a request with $what as one without a key', ({ header }) => {
    const request = { method: 'PATCH', path: '/prod/v1/inventory/1', ...header };
    expect(namesOf(rulesFor(request))).toEqual(withoutKey);
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

// WAF accepts no two rules of one priority.
test('the rules of the firewall have an order, which begins with the size of headers', () => {
  const priorities = [firstRule, ...rateRules].map(({ Priority }) => Priority);
  expect(priorities).toEqual([0, 1, 2, 3, 4, 5]);
});

describe('what the firewall blocks', () => {
  const [{ CustomResponseBodies }] = stackOf('prod').all('AWS::WAFv2::WebACL');
  const responseOf = ({ Action }: Json) => {
    const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Action.Block.CustomResponse;
    const { ContentType, Content } = CustomResponseBodies[CustomResponseBodyKey];
    return {
      status: ResponseCode,
      type: ContentType,
      body: JSON.parse(Content),
      headers: ResponseHeaders,
    };
  };

  test('gets a 403 if it has more headers than can be inspected', () => {
    expect(responseOf(firstRule)).toEqual({
      status: 403,
      type: 'APPLICATION_JSON',
      body: {
        code: 'forbidden',
        message: 'The request has more than 200 headers, or more than 8 KB of headers.',
        status: 403,
      },
    });
  });

  test.each(rateRules)('gets a 429 if it exceeds the limit of $Name', (rule) => {
    expect(responseOf(rule)).toEqual({
      status: 429,
      type: 'APPLICATION_JSON',
      body: {
        code: 'too_many_requests',
        message: 'Too many requests. Try again later.',
        status: 429,
      },
      headers: [{ Name: 'Retry-After', Value: '60' }],
    });
  });
});

test('the firewall counts by the minute, keys by the Authorization header', () => {
  const clients = rateRules.map(({ Name, Statement: { RateBasedStatement: rate } }) => ({
    name: Name,
    seconds: rate.EvaluationWindowSec,
    header: rate.CustomKeys?.map(({ Header }: Json) => Header.Name),
  }));
  const byKey = { seconds: 60, header: ['authorization'] };
  expect(clients).toEqual([
    { name: 'RequestsWithoutKey', seconds: 60 },
    { name: 'ListRequests', seconds: 60 },
    { name: 'AllRequests', seconds: 60 },
    { name: 'ListRequestsOfKey', ...byKey },
    { name: 'AllRequestsOfKey', ...byKey },
  ]);
});

test('the firewall keeps no samples of requests, which would hold keys', () => {
  const [webAcl] = stackOf('prod').all('AWS::WAFv2::WebACL');
  const settings = [webAcl, ...webAcl.Rules].map(({ VisibilityConfig }: Json) => VisibilityConfig);
  expect(settings.map(({ SampledRequestsEnabled }) => SampledRequestsEnabled)).toEqual(
    Array(7).fill(false),
  );
});

test('the firewall is in front of the API', () => {
  expect(stackOf('prod').all('AWS::WAFv2::WebACLAssociation')).toEqual([
    {
      WebACLArn: '<ApiFirewall.Arn>',
      ResourceArn:
        'arn:<AWS::Partition>:apigateway:<AWS::Region>::' +
        '/restapis/<Api>/stages/<ApiDeploymentStageprod>',
    },
  ]);
});

test('a stage without a firewall has none', () => {
  expect(stackOf('staging').all('AWS::WAFv2::WebACLAssociation')).toEqual([]);
});
