import { expect, test } from '@jest/globals';
import type { Template } from '../../../infra/assembly/template.ts';
import { isForOperators, operatorsApi } from '../../../local/gateway/operators-api.ts';
import { readRestApi } from '../../../local/gateway/rest-api.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { apiWith, functionOf, template } from '../../support/http/serve-api.ts';

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties
type Properties = any;

/** Reads the API of our template after a change of the resources of one type. */
const readChanged = (
  type: string,
  change: (resources: Map<string, Properties>) => Map<string, Properties>,
) => {
  const resources = (asked: string) => {
    const own = template.resources<Properties>(asked);
    return asked === type ? change(own) : own;
  };
  const functions = [...template.resources('AWS::Lambda::Function').keys()].map(
    (id) => [id, functionOf(() => {})] as const,
  );
  return readRestApi({ ...template, resources } as Template, new Map(functions));
};

const withIntegration = (changes: object) => (methods: Map<string, Properties>) =>
  new Map(
    Array.from(methods, ([id, method]) => [
      id,
      { ...method, Integration: { ...method.Integration, ...changes } },
    ]),
  );

test.each([
  {
    what: 'an integration that it does not know',
    type: 'AWS::ApiGateway::Method',
    change: withIntegration({ Type: 'HTTP' }),
    message: 'The local run has no integration of type HTTP.',
  },
  {
    what: 'a function that is not there',
    type: 'AWS::ApiGateway::Method',
    change: withIntegration({ Type: 'AWS_PROXY', Uri: 'arn:other' }),
    message: 'The template has no function for arn:other.',
  },
  {
    what: 'a mock without a response',
    type: 'AWS::ApiGateway::Method',
    change: withIntegration({ Type: 'MOCK', IntegrationResponses: [] }),
    message: 'A mock has no response.',
  },
  {
    what: 'no stage',
    type: 'AWS::ApiGateway::Stage',
    change: () => new Map(),
    message: 'The template has no API.',
  },
])('a template with $what is rejected at the start', ({ type, change, message }) => {
  expect(() => readChanged(type, change)).toThrow(new Error(message));
});

const unused = () => {};
const description = {
  stageName: 'staging',
  baseUrl: 'http://127.0.0.1:1/staging/v1',
  dynamodb: { endpoint: 'http://127.0.0.1:2', inventory: 'I', apiKeys: 'K' },
};
const flush = '/restapis/local/stages/staging/cache/authorizers';

test.each([
  {
    request: { path: '/petstore-local-run' },
    response: { status: 200, text: JSON.stringify(description), flushes: 0 },
  },
  {
    request: { method: 'DELETE', path: flush },
    response: { status: 202, text: '', flushes: 1 },
  },
  {
    request: { method: 'GET', path: flush },
    response: { status: 404, text: '{"message":"Not Found"}', flushes: 0 },
  },
  {
    request: { method: 'DELETE', path: flush.replace('staging', 'prod') },
    response: { status: 404, text: '{"message":"Not Found"}', flushes: 0 },
  },
])('operators get for $request: $response.status', async ({ request, response }) => {
  let flushes = 0;
  const api = {
    ...apiWith({ Authorizer: unused, ListInventory: unused, UpdateInventory: unused }),
    flushAuthorizersCache: () => {
      flushes += 1;
    },
  };
  const url = await serve(operatorsApi(api, description));
  const { status, text } = await sendRaw(url, request);
  expect({ status, text, flushes }).toStrictEqual(response);
  expect(isForOperators(request.path)).toBe(true);
});

test.each(['/', '/staging/v1/inventory', '/petstore-local-run/x', '/openapi.json'])(
  'clients get %s, and not operators',
  (path) => {
    expect(isForOperators(path)).toBe(false);
  },
);
