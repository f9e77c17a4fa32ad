import { expect, test } from '@jest/globals';
import { operations } from '../../../infra/service/operations.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

interface Request {
  method: string;
  path: string;
}

/** What AWS documents of each transformation that the template uses. */
const transform: Record<string, (text: string) => string> = {
  NONE: (text) => text,
  URL_DECODE: decodeURIComponent,
  NORMALIZE_PATH: (path) => new URL(path.replaceAll(/\/{2,}/g, '/'), 'http://host').pathname,
};

const matches = (request: Request, { RegexMatchStatement }: Json): boolean => {
  const { RegexString, FieldToMatch, TextTransformations } = RegexMatchStatement;
  const inspected = FieldToMatch.Method ? request.method : request.path;
  const transformed = TextTransformations.reduce(
    (text: string, { Type }: Json) => transform[Type]?.(text),
    inspected,
  );
  return new RegExp(RegexString).test(transformed);
};

const [webAcl] = stackOf('prod').all('AWS::WAFv2::WebACL');
const rules: Json[] = webAcl.Rules.map(({ Name, Statement }: Json) => ({
  Name,
  ...Statement.RateBasedStatement,
}));

/** Returns the names of the rules that count a request. */
const rulesFor = (request: Request): string[] =>
  rules
    .filter(({ ScopeDownStatement: scope = { AndStatement: { Statements: [] } } }) =>
      scope.AndStatement.Statements.every((each: Json) => matches(request, each)),
    )
    .map(({ Name }) => Name);

const ofAny = ['AllRequests', 'AllRequestsOfKey'];
const ofList = ['ListRequests', 'AllRequests', 'ListRequestsOfKey', 'AllRequestsOfKey'];

test.each([
  { what: 'a final slash', method: 'GET', path: '/prod/v1/inventory/', counted: ofList },
  { what: 'a list at its own domain', method: 'GET', path: '/v1/inventory', counted: ofList },
  { what: 'an encoded path', method: 'GET', path: '/prod/v1/inventor%79', counted: ofList },
  { what: 'doubled slashes', method: 'GET', path: '/prod//v1/inventory', counted: ofList },
  { what: 'a GET of one pet', method: 'GET', path: '/prod/v1/inventory/1', counted: ofAny },
  { what: 'a POST of lists', method: 'POST', path: '/prod/v1/inventory', counted: ofAny },
  ...operations.map(({ operationId, method, path, streams }) => ({
    what: operationId,
    method,
    path: `/prod/v1${path.replace('{petId}', '1')}`,
    counted: streams ? ofList : ofAny,
  })),
])('the firewall counts $what', ({ counted, ...request }) => {
  expect(rulesFor(request)).toStrictEqual(counted);
});

// An address is that of the connection: what a client writes into X-Forwarded-For does not count.
test('the firewall tells clients apart by address, and by key', () => {
  const clients = rules.map(({ Name, AggregateKeyType, CustomKeys = [] }) =>
    [Name, AggregateKeyType, ...CustomKeys.map(({ Header }: Json) => Header.Name)].join(' '),
  );
  expect(clients).toStrictEqual([
    'ListRequests IP',
    'AllRequests IP',
    'ListRequestsOfKey CUSTOM_KEYS authorization',
    'AllRequestsOfKey CUSTOM_KEYS authorization',
  ]);
});

test('the patterns have no group that captures, which WAF does not support', () => {
  const patterns = JSON.stringify(rules).match(/(?<="RegexString":)"(?:[^"\\]|\\.)*"/g) ?? [];
  expect(patterns).toHaveLength(4);
  expect(patterns.filter((pattern) => /\((?!\?:)/.test(pattern))).toStrictEqual([]);
});
