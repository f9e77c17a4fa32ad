import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract, errorResponse, type HttpResponse } from '../../support/http-client.ts';
import { type Entry, expectUntouched, type Found, findInventory, list, patch, restoring } from './inventory.ts';
import { readOnly, type Service } from './service.ts';

const notFound = [404, 'pet_not_found', 'No inventory entry has this petId.'] as const;
const petIdNot = (quoteTruncated: string) =>
  [
    400,
    'invalid_pet_id',
    'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros, ' +
      `not ${quoteTruncated}.`,
  ] as const;
const quantityNot = (kind: string) =>
  [400, 'invalid_quantity', `quantity must be an integer from 0 to 9007199254740991, not ${kind}.`] as const;
const noQuantity = [
  400,
  'invalid_quantity',
  'quantity is missing: it must be an integer from 0 to 9007199254740991.',
] as const;
const bodyNot = (kind: string) =>
  [400, 'invalid_body', `The body must be a JSON object, {"quantity": <integer>}, not ${kind}.`] as const;
const notJson = [400, 'invalid_body', 'The body is not valid JSON.'] as const;
const noBody = [400, 'invalid_body', 'A body is required: {"quantity": <integer>}.'] as const;
const nothingMore = [400, 'invalid_body', 'The body must be {"quantity": <integer>} and nothing more.'] as const;
const otherProperty = [400, 'invalid_body', 'The body must have no property but quantity, and has "status".'] as const;

/** PATCH /inventory/{petId} */
export const updateInventory = (service: Service): void =>
  describe('PATCH /inventory/{petId}', () => {
    let found: Found;
    beforeAll(async () => {
      found = await findInventory(service);
    });

    const expectUpdated = (response: HttpResponse, entry: Entry) =>
      expect(contract(response)).toEqual({ status: 200, contentType: 'application/json', body: entry });
    const applied = readOnly ? describe.skip : describe;

    applied('of an entry', () => {
      // Both ends of the list: where a petId would first lose digits.
      test.each([0, -1])('sets its quantity and returns it (entry %s of the list)', async (index) => {
        const entry = found.entries.at(index) as Entry;
        const updated = { ...entry, quantity: entry.quantity === 7n ? 8n : 7n };
        await restoring(service, entry, async () => {
          expectUpdated(await patch(service, entry.petId, `{"quantity":${updated.quantity}}`), updated);
          expect(await list(service)).toContainEqual(updated);
        });
        expect(await list(service)).toContainEqual(entry);
      });

      test('finds it by a percent-encoded petId', async () => {
        const entry = found.entries.at(-1) as Entry;
        const encoded = [...String(entry.petId)].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join('');
        await restoring(service, entry, async () => {
          expectUpdated(await patch(service, encoded, '{"quantity":7}'), { ...entry, quantity: 7n });
        });
      });

      test.each(['0', '9007199254740991', '1.0', '1e2', ' 5 '])('takes the quantity %s', async (quantity) => {
        const entry = found.entries[0] as Entry;
        await restoring(service, entry, async () => {
          const response = await patch(service, entry.petId, `{"quantity":${quantity}}`);
          expectUpdated(response, { ...entry, quantity: BigInt(Number(quantity)) });
        });
      });
    });

    test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
      'reads %s, and creates no entry',
      async (type) => {
        expect(contract(await patch(service, found.absent, '{"quantity":7}', type))).toEqual(
          errorResponse(...notFound),
        );
      },
    );

    const padded = (bytes: number) => `{"quantity":7${' '.repeat(bytes - 14)}}`;
    const tooLarge = (bytes: number) =>
      errorResponse(413, 'request_too_large', `The body must have at most 4096 bytes, not ${bytes}.`);
    test.each([
      ['4,096 bytes', padded(4_096), errorResponse(...notFound)],
      ['4,097 bytes', padded(4_097), tooLarge(4_097)],
      ['4,096 bytes of UTF-8', `"${'é'.repeat(2_047)}"`, errorResponse(...bodyNot('a string'))],
      ['4,098 bytes of UTF-8', `"${'é'.repeat(2_048)}"`, tooLarge(4_098)],
    ])('parses a body of at most 4,096 bytes: %s', async (_size, body, error) => {
      expect(contract(await patch(service, found.absent, body))).toEqual(error);
    });

    test.each([
      ['text/plain', 'not "text/plain"'],
      ['application/jsonp', 'not "application/jsonp"'],
      ['x-application/json', 'not "x-application/json"'],
      ['application/x-www-form-urlencoded', 'not "application/x-www-form-u…"'],
      [undefined, 'and is missing'],
    ])('rejects Content-Type %s', async (type, reason) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const path = `/inventory/${found.rejecting}`;
      const response = await service.send({ method: 'PATCH', path, headers, body: '{"quantity":8}' });
      expect(contract(response)).toEqual(
        errorResponse(400, 'unsupported_content_type', `Content-Type must be application/json, ${reason}.`),
      );
    });

    test.each([
      ['abc', '"abc"'],
      ['1.5', '"1.5"'],
      ['1e0', '"1e0"'],
      ['01', '"01"'],
      ['+1', '"+1"'],
      ['-0', '"-0"'],
      ['%201', '" 1"'],
      ['%22', String.raw`"\""`],
      ['%D9%A1', '"١"'],
      ['9223372036854775808', '"9223372036854775808"'],
      ['-9223372036854775809', '"-9223372036854775809"'],
      ['1'.repeat(24), '"111111111111111111111111"'],
      ['1'.repeat(100), '"111111111111111111111111…"'],
    ])('rejects the petId %s', async (petId, quoteTruncated) => {
      expect(contract(await patch(service, petId, '{"quantity":7}'))).toEqual(
        errorResponse(...petIdNot(quoteTruncated)),
      );
    });

    test.each<[body: string | undefined, error: readonly [number, string, string]]>([
      ['{}', noQuantity],
      ['{"quantity":null}', quantityNot('null')],
      ['{"quantity":"7"}', quantityNot('a string')],
      ['{"quantity":true}', quantityNot('a boolean')],
      ['{"quantity":[7]}', quantityNot('an array')],
      ['{"quantity":{}}', quantityNot('an object')],
      ['{"quantity":1.5}', quantityNot('a fraction')],
      ['{"quantity":1.0000000000000000001}', quantityNot('a fraction')],
      ['{"quantity":9007199254740991.4}', quantityNot('a fraction')],
      ['{"quantity":1e-400}', quantityNot('a fraction')],
      ['{"quantity":-1}', quantityNot('a negative number')],
      ['{"quantity":1e300}', quantityNot('a larger number')],
      ['{"quantity":1e999}', quantityNot('a larger number')],
      ['{"quantity":9007199254740992}', quantityNot('a larger number')],
      ['{"quantity":9007199254740993}', quantityNot('a larger number')],
      ['{"quantity":7,"status":"sold"}', otherProperty],
      ['[]', bodyNot('an array')],
      ['null', bodyNot('null')],
      ['7', bodyNot('a number')],
      ['"quantity"', bodyNot('a string')],
      ['{"quantity":7', notJson],
      ['{"quantity":07}', notJson],
      [' ', notJson],
      ['{"quantity":7,"__proto__":{}}', nothingMore],
      ['', noBody],
      [undefined, noBody],
    ])('rejects the body %s', async (body, error) => {
      expect(contract(await patch(service, found.rejecting, body))).toEqual(errorResponse(...error));
    });

    test('has changed and created nothing by what it rejected', () => expectUntouched(service, found));
  });
