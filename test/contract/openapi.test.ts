import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isAlias, isNode, isScalar, parse, parseDocument, visit } from 'yaml';
import { type ApiError, errorBody, statusOfCode } from '../../functions/errors/api-error.ts';
import { writeAccess } from '../../functions/http/guards.ts';
import { bodyLimit } from '../../functions/http/json-body.ts';
import { etagOf, readIfMatch } from '../../functions/inventory/etag.ts';
import { readIdempotencyKey } from '../../functions/inventory/idempotency-key.ts';
import {
  attributeNames,
  isPetId,
  isQuantity,
  petStatuses,
} from '../../functions/inventory/item.ts';
import { alreadyUsed, reasonFor, refusal } from '../../functions/inventory/refusals.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { openapi } from '../support/http/openapi.ts';
import { errors } from '../support/http/rejections.ts';
import { type Json, stackOf } from '../support/stack/synthesized.ts';

const { schemas } = openapi.components;
/** The same with every digit. */
const exact = parse(readFileSync('openapi.yaml', 'utf8'), { intAsBigInt: true }).components.schemas;
const { get: listInventory } = openapi.paths['/inventory'];
const { patch: updateInventory } = openapi.paths['/inventory/{petId}'];
/** All operations, with their names. */
const operations = Object.values<Json>(openapi.paths)
  .flatMap((path) => Object.values<Json>(path))
  .map((operation): [string, Json] => [operation.operationId, operation]);
/** The schemas of an update's parameters. */
const parameters: Json = Object.fromEntries(
  updateInventory.parameters.map(({ name, schema }: Json) => [name, schema]),
);

test('has a server for each stage', () => {
  const servers = openapi.servers.map(({ url }: Json) => /\/(\w+)\/v1$/.exec(url)?.[1]);
  expect(servers.sort()).toStrictEqual(stageNames.toSorted());
});

test('lists every error code', () => {
  expect(schemas.Error.properties.code.enum).toStrictEqual(Object.keys(statusOfCode));
});

test('describes what an entry has', () => {
  const { properties, required } = schemas.InventoryItem;
  expect({ properties: Object.keys(properties), required }).toStrictEqual({
    properties: attributeNames,
    required: attributeNames,
  });
});

// The keys say where in openapi.yaml a status is missing.
test('names every status of an entry, in the order of petStatuses', () => {
  const tag = `"(0|[1-9][0-9]{0,15})-(${petStatuses.join('|')})"`;
  const { content } = listInventory.responses[200];
  const { value: entries } = content['application/json'].examples['a pet of each status'];
  expect({
    'PetStatus.enum': schemas.PetStatus.enum,
    'ETag.pattern': schemas.ETag.pattern,
    'If-Match, pattern': parameters['If-Match'].pattern,
    'listInventory, example': entries.map(({ status }: Json) => status),
  }).toStrictEqual({
    'PetStatus.enum': petStatuses,
    'ETag.pattern': `^${tag}$`,
    'If-Match, pattern': `^(\\*|${tag})$`,
    'listInventory, example': petStatuses,
  });
});

describe('has the limits of the service:', () => {
  const integer = { type: 'integer', format: 'int64' };

  test('a petId is an int64', () => {
    const { minimum, maximum } = exact.PetId;
    expect(schemas.PetId).toMatchObject(integer);
    const around = [minimum - 1n, minimum, maximum, maximum + 1n];
    expect(around.map(String).map(isPetId)).toStrictEqual([false, true, true, false]);
  });

  test('a quantity is exact in JSON', () => {
    const { minimum, maximum } = exact.Quantity;
    expect(schemas.Quantity).toMatchObject(integer);
    const around = [minimum - 1n, minimum, maximum, maximum + 1n];
    expect(around.map(Number).map(isQuantity)).toStrictEqual([false, true, true, false]);
  });

  test('an ETag is as long as the longest', () => {
    const lengths = petStatuses.map(
      (status) => etagOf({ quantity: Number.MAX_SAFE_INTEGER, status }).length,
    );
    const longest = Math.max(...lengths);
    expect(schemas.ETag.maxLength).toBe(longest);
    expect(parameters['If-Match'].maxLength).toBe(longest);
  });

  test('an Idempotency-Key is as long as it may be, and visible', () => {
    const { minLength, maxLength, pattern } = parameters['Idempotency-Key'];
    const isTaken = (key: string): boolean => {
      try {
        return readIdempotencyKey(new Map([['idempotency-key', [key]]])) === key;
      } catch {
        return false;
      }
    };
    const lengths = [minLength - 1, minLength, maxLength, maxLength + 1];
    const taken = lengths.map((length) => isTaken('x'.repeat(length)));
    expect(taken).toStrictEqual([false, true, true, false]);
    const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
    expect(characters.filter((key) => new RegExp(pattern).test(key))).toStrictEqual(
      characters.filter(isTaken),
    );
  });

  test.each(['openapi.yaml', 'docs/api.md', 'docs/errors.md'])(
    '%s: the bytes of a body',
    (file) => {
      const limits = readFileSync(file, 'utf8').match(/(?<=body[^.]*?)[\d,]+(?= bytes)/g);
      const numbers = limits?.map((limit) => Number(limit.replace(',', '')));
      expect(new Set(numbers)).toStrictEqual(new Set([bodyLimit]));
    },
  );
});

test('lists every status with which an operation can respond', () => {
  const { path_not_found, method_not_allowed, ...codes } = statusOfCode;
  const statuses = [...new Set([200, ...Object.values(codes)])].sort();
  const { pet_not_found, precondition_failed, request_too_large, already_applied } = codes;
  const ofUpdatesAlone = [pet_not_found, precondition_failed, request_too_large, already_applied];
  expect(Object.keys(updateInventory.responses).map(Number)).toStrictEqual(statuses);
  const ofAll = statuses.filter((status) => !ofUpdatesAlone.some((other) => other === status));
  expect(Object.keys(listInventory.responses).map(Number)).toStrictEqual(ofAll);
  for (const [operationId, { responses }] of operations) {
    const missing = ofAll.filter((status) => !(status in responses));
    expect({ operationId, missing }).toStrictEqual({ operationId, missing: [] });
  }
});

describe('has as examples', () => {
  /** Every Error that the document has as an example. */
  const examples = operations
    .flatMap(([, { responses }]) => Object.values<Json>(responses))
    .map((response) => openapi.components.responses[response.$ref?.split('/').at(-1)] ?? response)
    .flatMap(({ content }) => Object.values<Json>(content['application/json'].examples))
    .map(({ value }) => value)
    .filter(({ code }) => code !== undefined);

  const ofGateway: Json[] = stackOf('prod')
    .all('AWS::ApiGateway::GatewayResponse')
    .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates['application/json']))
    // No operation documents API Gateway's 404 and 405; the documented 413 is the function's.
    .filter(({ status }) => ![404, 405, 413].includes(status));

  test('each error of the gateway', () => {
    expect(ofGateway).not.toStrictEqual([]);
    expect(examples).toStrictEqual(expect.arrayContaining(ofGateway));
  });

  test('errors exactly as they are sent', () => {
    const rejections = readFileSync('test/functions/rejected-requests.txt', 'utf8');
    const ofUpdates = rejections.match(/(?<=^< \d+ ).*$/gm)?.map((body) => JSON.parse(body)) ?? [];
    const others = Object.values(errors).map(([status, code, message]) => ({
      ...{ code, message, status },
    }));
    const sent = [...ofGateway, ...ofUpdates, ...others, ...thrown()];
    expect(sent).toStrictEqual(expect.arrayContaining(examples));
  });

  test('an error of each code with which an operation responds', () => {
    const { path_not_found, method_not_allowed, ...codes } = statusOfCode;
    const found = new Map(examples.map(({ code, status }) => [code, status]));
    expect(Object.fromEntries(found)).toStrictEqual(codes);
  });
});

/** The errors that tests elsewhere show one by one. */
const thrown = (): Json[] => {
  const item = { petId: { N: '1' }, quantity: { N: '7' }, status: { S: 'sold' } };
  const headers = (name: string, value: string) => new Map([[name, [value]]]);
  return [
    ...[item, { petId: item.petId }, undefined].map((found) => refusal(reasonFor(found))),
    ...(['applied', 'pet_not_found'] as const).map((outcome) => alreadyUsed({ outcome })),
    errorOf(() => readIfMatch(headers('if-match', '7-available'))),
    errorOf(() => readIdempotencyKey(headers('idempotency-key', ''))),
    errorOf(() => writeAccess().before?.({ event: { access: 'read' } } as never)),
  ].map((error) => errorBody((error as ApiError).code, (error as ApiError).message));
};

const errorOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

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
