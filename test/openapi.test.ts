import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isAlias, isNode, isScalar, parseDocument, visit } from 'yaml';
import { statusOfCode } from '../functions/errors/api-error.ts';
import { etagOf, readIfMatch } from '../functions/inventory/conditional-update.ts';
import { readIdempotencyKey } from '../functions/inventory/idempotency-key.ts';
import { stageNames } from '../ops/stage/stage.ts';
import { openapi } from './support/http/openapi.ts';
import { rejectedUpdates } from './support/http/rejections.ts';
import { type Json, stackOf } from './support/stack/synthesized.ts';

const { schemas } = openapi.components;
const { get: listInventory } = openapi.paths['/inventory'];
const { patch: updateInventory } = openapi.paths['/inventory/{petId}'];

test('has a server for each stage', () => {
  const servers = openapi.servers.map(({ url }: Json) => /\/(\w+)\/v1$/.exec(url)?.[1]);
  expect(servers.sort()).toStrictEqual(stageNames.toSorted());
});

test('lists every error code, and explains it beside its status', () => {
  const { code } = schemas.Error.properties;
  expect(code.enum).toStrictEqual(Object.keys(statusOfCode));
  const explained = [...code.description.matchAll(/^- `(\w+)` \((\d{3})\): \w+/gm)];
  expect(
    Object.fromEntries(explained.map(([, name, status]) => [name, Number(status)])),
  ).toStrictEqual(statusOfCode);
});

test('lists every status with which an operation can respond', () => {
  const { path_not_found, method_not_allowed, ...codes } = statusOfCode;
  const statuses = [...new Set([200, ...Object.values(codes)])].sort();
  const { pet_not_found, precondition_failed, request_too_large, idempotency_key_reused } = codes;
  const ofUpdatesAlone = [
    pet_not_found,
    precondition_failed,
    request_too_large,
    idempotency_key_reused,
  ];
  expect(Object.keys(updateInventory.responses).map(Number)).toStrictEqual(statuses);
  expect(Object.keys(listInventory.responses).map(Number)).toStrictEqual(
    statuses.filter((status) => !ofUpdatesAlone.some((other) => other === status)),
  );
});

describe('has as an example', () => {
  const examples = JSON.stringify(openapi);
  const exampleOf = (body: object) => `"value":${JSON.stringify(body)}`;

  test('each error of the gateway', () => {
    const errors = stackOf('prod')
      .all('AWS::ApiGateway::GatewayResponse')
      .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates['application/json']))
      // No operation documents API Gateway's 404 and 405; the documented 413 is the function's.
      .filter(({ status }) => ![404, 405, 413].includes(status));
    expect(errors).not.toStrictEqual([]);
    expect(errors.filter((error) => !examples.includes(exampleOf(error)))).toStrictEqual([]);
  });

  test('rejected updates exactly as the function sends them', () => {
    const {
      bad_request: _ofTheGateway,
      invalid_if_match,
      invalid_idempotency_key,
      ...documented
    } = updateInventory.responses[400].content['application/json'].examples;
    const sent = rejectedUpdates.map(({ rejection: [status, code, message] }) => ({
      code,
      message,
      status,
    }));
    expect(sent).toStrictEqual(
      expect.arrayContaining(Object.values<Json>(documented).map(({ value }) => value)),
    );
    const headers = new Map([['if-match', ['7-available']]]);
    expect(() => readIfMatch(headers)).toThrow(invalid_if_match.value.message);
    const noKey = new Map([['idempotency-key', ['']]]);
    expect(() => readIdempotencyKey(noKey)).toThrow(invalid_idempotency_key.value.message);
  });
});

test.each([
  { quantity: 0, status: 'available' },
  { quantity: 7, status: 'pending' },
  { quantity: Number.MAX_SAFE_INTEGER, status: 'available' },
  { quantity: 10, status: 'sold' },
] as const)('has a pattern for the ETag of $quantity and $status', (stock) => {
  const [ifMatch] = updateInventory.parameters.filter(({ name }: Json) => name === 'If-Match');
  for (const { pattern, maxLength } of [schemas.ETag, ifMatch.schema]) {
    expect(etagOf(stock)).toMatch(new RegExp(pattern));
    expect(etagOf(stock).length).toBeLessThanOrEqual(maxLength);
  }
});

test('has no anchors, aliases or merge keys, which some generators cannot read', () => {
  const shared: string[] = [];
  visit(parseDocument(readFileSync('openapi.yaml', 'utf8')), (key, node) => {
    const isAnchor = isNode(node) && !isAlias(node) && node.anchor !== undefined;
    const isMergeKey = key === 'key' && isScalar(node) && node.value === '<<';
    if (isAlias(node) || isAnchor || isMergeKey) {
      shared.push(String(node));
    }
  });
  expect(shared).toStrictEqual([]);
});
