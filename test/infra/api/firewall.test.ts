import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { deliveredStack, stackWith } from '../../support/stack/in-process.ts';
import type { Json } from '../../support/stack/template.ts';

/** A request as WAF sees it. */
interface WafRequest {
  method: string;
  path: string;
  authorization?: string;
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
  const { AndStatement, OrStatement, NotStatement, RegexMatchStatement: regex } = statement;
  if (AndStatement) {
    return AndStatement.Statements.every((each: Json) => matches(request, each));
  }
  if (OrStatement) {
    return OrStatement.Statements.some((each: Json) => matches(request, each));
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

const rulesOfProd = (): Json[] => deliveredStack('prod').all('AWS::WAFv2::WebACL')[0].Rules;

/** Returns the rules that count a request. */
const rulesFor = (request: WafRequest): Json[] =>
  rulesOfProd().filter(({ Statement: { RateBasedStatement: rate } }) =>
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
  const [{ IdentityValidationExpression: accepted }] = deliveredStack('prod').all(
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

const firewall = {
  withoutKey: 10,
  perAddress: { lists: 20, all: 30 },
  perKey: { lists: 40, all: 50 },
};
const made = () => stackWith({ firewall });
const webAcl = (): Json => made().all('AWS::WAFv2::WebACL')[0];

const unseen = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false };
const block = {
  Block: {
    CustomResponse: {
      ResponseCode: 429,
      CustomResponseBodyKey: 'TooManyRequests',
      ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
    },
  },
};
const body = {
  code: 'too_many_requests',
  message: 'Too many requests. Try again later.',
  status: 429,
};

describe('a stage with a firewall', () => {
  test('has these limits a minute for each address and for each key', () => {
    const rows = webAcl().Rules.map(({ Name, Statement: { RateBasedStatement: rate } }: Json) => ({
      name: Name,
      limit: rate.Limit,
      seconds: rate.EvaluationWindowSec,
      client: rate.AggregateKeyType,
    }));
    const perAddress = { seconds: 60, client: 'IP' };
    const perKey = { seconds: 60, client: 'CUSTOM_KEYS' };
    expect(rows).toEqual([
      { name: 'RequestsWithoutKey', limit: 10, ...perAddress },
      { name: 'ListRequests', limit: 20, ...perAddress },
      { name: 'AllRequests', limit: 30, ...perAddress },
      { name: 'ListRequestsOfKey', limit: 40, ...perKey },
      { name: 'AllRequestsOfKey', limit: 50, ...perKey },
    ]);
  });

  test('tells keys apart by the Authorization header', () => {
    const headers = webAcl()
      .Rules.flatMap(({ Statement }: Json) => Statement.RateBasedStatement.CustomKeys ?? [])
      .map(({ Header }: Json) => Header.Name);
    expect(headers).toEqual(['authorization', 'authorization']);
  });

  test('blocks what exceeds a limit with the 429 of the contract, and nothing else', () => {
    expect(webAcl()).toMatchObject({
      DefaultAction: { Allow: {} },
      CustomResponseBodies: {
        TooManyRequests: { ContentType: 'APPLICATION_JSON', Content: JSON.stringify(body) },
      },
      Rules: [0, 1, 2, 3, 4].map((Priority) => ({ Priority, Action: block })),
    });
  });

  test('measures its rules without keeping samples of requests, which would hold keys', () => {
    const { Rules, VisibilityConfig } = webAcl();
    expect(VisibilityConfig).toEqual({ MetricName: 'petstore-inventory-test', ...unseen });
    expect(Rules.map((rule: Json) => rule.VisibilityConfig)).toEqual(
      Rules.map(({ Name }: Json) => ({ MetricName: Name, ...unseen })),
    );
  });

  test('has it in front of its API', () => {
    const { all } = made();
    expect(webAcl().Scope).toBe('REGIONAL');
    expect(all('AWS::WAFv2::WebACLAssociation')).toEqual([
      {
        WebACLArn: '<ApiFirewall.Arn>',
        ResourceArn:
          'arn:<AWS::Partition>:apigateway:<AWS::Region>::' +
          '/restapis/<Api>/stages/<ApiDeploymentStagetest>',
      },
    ]);
  });
});

test('a web ACL of its own takes the place of the firewall', () => {
  const webAclArn = 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/petstore/1';
  const { all, Resources } = stackWith({ webAclArn, firewall });
  expect(all('AWS::WAFv2::WebACL')).toEqual([]);
  expect(Resources.ApiWebAcl).toMatchObject({
    Properties: { ResourceArn: expect.anything(), WebACLArn: webAclArn },
    UpdateReplacePolicy: 'Retain',
    DeletionPolicy: 'Delete',
  });
});

test('a stage without a firewall has none', () => {
  const { all } = stackWith({});
  expect(all('AWS::WAFv2::WebACLAssociation')).toEqual([]);
});
