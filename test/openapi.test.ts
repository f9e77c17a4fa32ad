import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isAlias, isNode, isScalar, parseDocument, visit } from 'yaml';
import { statusOfCode } from '../functions/errors/api-error.ts';
import { openapi, violations } from './support/http/openapi.ts';
import { rejectedUpdates } from './support/http/rejections.ts';
import { type Json, stackOf, templates } from './support/stack/synthesized.ts';

const stageNames = Object.keys(templates);

interface Operation {
  operationId: string;
  path: string;
  method: string;
  isSecured: boolean;
}

const byId = (a: Operation, b: Operation) => a.operationId.localeCompare(b.operationId);

const documentedOperations: Operation[] = Object.entries<Json>(openapi.paths)
  .flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { operationId, security = openapi.security }]) => ({
      operationId,
      path: `/v1${path}`,
      method: method.toUpperCase(),
      isSecured: security.some((requirement: Json) => 'apiKey' in requirement),
    })),
  )
  .sort(byId);

const deployedOperations = (stageName: string): Operation[] => {
  const { byName, all } = stackOf(stageName);
  const resources = byName('AWS::ApiGateway::Resource');
  const pathOf = (reference: string): string => {
    const { ParentId, PathPart } = resources[reference.slice(1, -1)] ?? {};
    return PathPart === undefined ? '' : `${pathOf(ParentId)}/${PathPart}`;
  };
  return all('AWS::ApiGateway::Method')
    .filter(({ HttpMethod }) => HttpMethod !== 'ANY')
    .map(({ OperationName, HttpMethod, ResourceId, AuthorizationType }) => ({
      operationId: OperationName,
      path: pathOf(ResourceId),
      method: HttpMethod,
      isSecured: AuthorizationType === 'CUSTOM',
    }))
    .sort(byId);
};

test.each(stageNames)('describes the operations of %s, and how they are secured', (stageName) => {
  expect(documentedOperations).toEqual(deployedOperations(stageName));
});

/** The Error bodies that API Gateway sends to requests for an operation, by type of response. */
const gatewayErrors = (stageName: string): Json[] =>
  stackOf(stageName)
    .all('AWS::ApiGateway::GatewayResponse')
    .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates['application/json']))
    // No operation documents API Gateway's 404 and 405, and the documented 413 is the function's.
    .filter(
      ({ code }) => !['path_not_found', 'method_not_allowed', 'request_too_large'].includes(code),
    );

test.each(stageNames)('has each error of the gateway of %s as an example', (stageName) => {
  const examples = JSON.stringify(openapi);
  const errors = gatewayErrors(stageName).map((body) => `"value":${JSON.stringify(body)}`);
  expect(errors).not.toEqual([]);
  expect(errors.filter((error) => !examples.includes(error))).toEqual([]);
});

const { patch: updateInventory } = openapi.paths['/inventory/{petId}'];

test('has examples of rejected updates exactly as the function sends them', () => {
  const { bad_request: _ofTheGateway, ...examples } =
    updateInventory.responses[400].content['application/json'].examples;
  const sent = rejectedUpdates.map(([[status, code, message]]) => ({ code, message, status }));
  const documented = Object.values<Json>(examples).map(({ value }) => value);
  expect(sent).toEqual(expect.arrayContaining(documented));
});

test('has a server for each stage', () => {
  const servers = openapi.servers.map(({ url }: Json) => /\/(\w+)\/v1$/.exec(url)?.[1]);
  expect(servers.sort()).toEqual(stageNames.toSorted());
});

const { code } = openapi.components.schemas.Error.properties;

test('lists every error code', () => {
  expect(code.enum).toEqual(Object.keys(statusOfCode));
});

test('explains every error code beside its status', () => {
  const explained = [...code.description.matchAll(/^- `(\w+)` \((\d{3})\): \w+/gm)];
  expect(Object.fromEntries(explained.map(([, name, status]) => [name, Number(status)]))).toEqual(
    statusOfCode,
  );
});

const operations = Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
  Object.values<Json>(methods).map((operation) => ({
    operationId: operation.operationId,
    operation,
    namesAPet: path.includes('{petId}'),
  })),
);

test.each(operations)(
  'lists every status with which $operationId can respond',
  ({ operation, namesAPet }) => {
    const { path_not_found, method_not_allowed, ...codes } = statusOfCode;
    const statuses = new Set([200, ...Object.values(codes)]);
    if (!namesAPet) {
      statuses.delete(statusOfCode.pet_not_found);
    }
    if (operation.requestBody === undefined) {
      statuses.delete(statusOfCode.request_too_large);
    }
    expect(Object.keys(operation.responses).map(Number)).toEqual([...statuses].sort());
  },
);

/** Returns the anchors, aliases and merge keys of a YAML document, as they are written. */
const sharedNodes = (yaml: string): string[] => {
  const found: string[] = [];
  visit(parseDocument(yaml), (key, node) => {
    if (isAlias(node)) {
      found.push(`*${node.source}`);
    } else if (isNode(node) && node.anchor !== undefined) {
      found.push(`&${node.anchor}`);
    }
    if (key === 'key' && isScalar(node) && node.value === '<<') {
      found.push('<<');
    }
  });
  return found;
};

test.each([
  { what: 'an anchor', yaml: 'a: &name 1', found: ['&name'] },
  { what: 'an alias', yaml: 'a: &name { b: 1 }\nc: *name', found: ['&name', '*name'] },
  { what: 'a merge key', yaml: 'a: { <<: { b: 1 } }', found: ['<<'] },
  { what: 'no Markdown', yaml: 'a: "&name *name"\nb: |\n  *name*: <<', found: [] },
])('sharedNodes finds $what', ({ yaml, found }) => {
  expect(sharedNodes(yaml)).toEqual(found);
});

test('has no anchors, aliases or merge keys, which some generators cannot read', () => {
  expect(sharedNodes(readFileSync('openapi.yaml', 'utf8'))).toEqual([]);
});

const tooManyRequests = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  text: '{"code":"too_many_requests","message":"Too many requests.","status":429}',
};

test.each([
  { what: 'a response that it describes', response: tooManyRequests, found: [] },
  {
    what: 'a missing header',
    response: { ...tooManyRequests, headers: { 'content-type': 'application/json' } },
    found: [expect.stringContaining('retry-after')],
  },
  {
    what: 'a malformed header',
    response: { ...tooManyRequests, headers: { ...tooManyRequests.headers, 'retry-after': '0' } },
    found: [expect.stringContaining('retry-after')],
  },
])('is what tests check responses against: $what', ({ response, found }) => {
  expect(violations('GET', '/v1/inventory', response)).toEqual(found);
});
