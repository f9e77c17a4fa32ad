import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type ApiError, errorBody, statusOfCode } from '../../functions/errors/api-error.ts';
import { writeAccess } from '../../functions/http/guards.ts';
import { etagOf } from '../../functions/inventory/etag.ts';
import { readIdempotencyKey } from '../../functions/inventory/idempotency-key.ts';
import {
  attributeNames,
  isPetId,
  isQuantity,
  petStatuses,
} from '../../functions/inventory/item.ts';
import { alreadyUsed } from '../../functions/inventory/refusals.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { openapi } from '../support/http/openapi.ts';
import { type Json, stackOf } from '../support/stack/synthesized.ts';

const text = readFileSync('openapi.yaml', 'utf8');
const { schemas } = openapi.components;
const { get: listInventory } = openapi.paths['/inventory'];
const { patch: updateInventory } = openapi.paths['/inventory/{petId}'];
const operations: Json[] = Object.values<Json>(openapi.paths).flatMap(Object.values<Json>);
/** The schemas of an update's parameters. */
const parameters: Json = Object.fromEntries(
  updateInventory.parameters.map(({ name, schema }: Json) => [name, schema]),
);

test('has a server for each stage', () => {
  const servers = openapi.servers.map(({ url }: Json) => /\/(\w+)\/v1$/.exec(url)?.[1]);
  expect(servers.sort()).toStrictEqual(stageNames.toSorted());
});

test('has no alias, which some generators cannot read', () => {
  expect(() => parse(text, { maxAliasCount: 0 })).not.toThrow();
});

test('lists every error code', () => {
  expect(schemas.Error.properties.code.enum).toStrictEqual(Object.keys(statusOfCode));
});

test('lists every status of a response', () => {
  const { path_not_found, method_not_allowed, ...codes } = statusOfCode;
  const { pet_not_found, precondition_failed, request_too_large, already_applied } = codes;
  const ofUpdates = [pet_not_found, precondition_failed, request_too_large, already_applied];
  const all = [...new Set([200, ...Object.values(codes)])].sort();
  const common = all.filter((status) => !ofUpdates.some((other) => other === status));
  const statusesOf = ({ responses }: Json) => Object.keys(responses).map(Number);
  expect(statusesOf(updateInventory)).toStrictEqual(all);
  expect(statusesOf(listInventory)).toStrictEqual(common);
  for (const operation of operations) {
    expect(statusesOf(operation)).toStrictEqual(expect.arrayContaining(common));
  }
});

test('describes what an entry has', () => {
  const { properties, required } = schemas.InventoryItem;
  expect(Object.keys(properties)).toStrictEqual(attributeNames);
  expect(required).toStrictEqual(attributeNames);
});

test('names every status of an entry, in the order of petStatuses', () => {
  const tag = `"(0|[1-9][0-9]{0,15})-(${petStatuses.join('|')})"`;
  const { content } = listInventory.responses[200];
  const { value: entries } = content['application/json'].examples['a pet of each status'];
  expect(schemas.PetStatus.enum).toStrictEqual(petStatuses);
  expect(schemas.ETag.pattern).toBe(`^${tag}$`);
  expect(parameters['If-Match'].pattern).toBe(`^(\\*|${tag})$`);
  expect(entries.map(({ status }: Json) => status)).toStrictEqual(petStatuses);
});

describe('has the limits of', () => {
  test.each([
    { name: 'PetId', isValid: (value: bigint) => isPetId(String(value)) },
    { name: 'Quantity', isValid: (value: bigint) => isQuantity(Number(value)) },
  ])('a $name, an int64', ({ name, isValid }) => {
    const { minimum, maximum } = parse(text, { intAsBigInt: true }).components.schemas[name];
    expect(schemas[name]).toMatchObject({ type: 'integer', format: 'int64' });
    const around = [minimum - 1n, minimum, maximum, maximum + 1n];
    expect(around.map(isValid)).toStrictEqual([false, true, true, false]);
  });

  test('an ETag', () => {
    const quantity = Number.MAX_SAFE_INTEGER;
    const lengths = petStatuses.map((status) => etagOf({ quantity, status }).length);
    expect(schemas.ETag.maxLength).toBe(Math.max(...lengths));
    expect(parameters['If-Match'].maxLength).toBe(schemas.ETag.maxLength);
  });

  test('an Idempotency-Key, and its characters', () => {
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
    const matching = characters.filter((key) => new RegExp(pattern).test(key));
    expect(matching).toStrictEqual(characters.filter(isTaken));
  });
});

describe('has as examples', () => {
  /** Every Error that the document has as an example. */
  const examples: Json[] = operations
    .flatMap(({ responses }) => Object.values<Json>(responses))
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
    const recorded = globSync('test/functions/*.txt').flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/^<.*? (\{"code":.*)$/gm), ([, body = '']) =>
        JSON.parse(body),
      ),
    );
    const others = [alreadyUsed({ outcome: 'pet_not_found' }), refusalOfReadOnlyKey()];
    const bodies = others.map(({ code, message }) => errorBody(code, message));
    const sent = [...ofGateway, ...recorded, ...bodies];
    expect(sent).toStrictEqual(expect.arrayContaining(examples));
  });

  test('an error of each code with which an operation responds', () => {
    const { path_not_found, method_not_allowed, ...codes } = statusOfCode;
    const found = examples.map(({ code, status }) => [code, status]);
    expect(Object.fromEntries(found)).toStrictEqual(codes);
  });
});

const refusalOfReadOnlyKey = (): ApiError => {
  try {
    writeAccess().before?.({ event: { access: 'read' } } as never);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('A read-only key may write.');
};
