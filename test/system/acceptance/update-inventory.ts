import { describe, expect, test } from '@jest/globals';
import { contract, errorResponse } from '../../support/http-client.ts';
import { type Checked, type Entry, list, readOnly, restoring } from './inventory.ts';

const invalid = (what: string, message: string) => errorResponse(400, `invalid_${what}`, message);
const notFound = errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.');
const tooLarge = (bytes: number) =>
  errorResponse(413, 'request_too_large', `The body must have at most 4096 bytes, not ${bytes}.`);

const petIdRange = 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantityRange = 'an integer from 0 to 9007199254740991';
const quantityNot = (kind: string) => invalid('quantity', `quantity must be ${quantityRange}, not ${kind}.`);
const bodyNot = (kind: string) =>
  invalid('body', `The body must be a JSON object, {"quantity": <integer>}, not ${kind}.`);
const notJson = invalid('body', 'The body is not valid JSON.');
const noBody = invalid('body', 'A body is required: {"quantity": <integer>}.');

/** By what the message calls them. */
const quantities = {
  null: ['null'],
  'a string': ['"7"'],
  'a boolean': ['true'],
  'an array': ['[7]'],
  'an object': ['{}'],
  'a fraction': ['1.5', '1.0000000000000000001', '9007199254740991.4', '1e-400'],
  'a negative number': ['-1'],
  'a larger number': ['1e300', '1e999', '9007199254740992', '9007199254740993'],
};

const bodies: [body: string | undefined, error: ReturnType<typeof errorResponse>][] = [
  ...Object.entries(quantities).flatMap(([kind, numerals]) =>
    numerals.map((numeral): (typeof bodies)[number] => [`{"quantity":${numeral}}`, quantityNot(kind)]),
  ),
  ['{}', invalid('quantity', `quantity is missing: it must be ${quantityRange}.`)],
  ['{"quantity":7,"status":"sold"}', invalid('body', 'The body must have no property but quantity, and has "status".')],
  ['{"quantity":7,"__proto__":{}}', invalid('body', 'The body must be {"quantity": <integer>} and nothing more.')],
  ['[]', bodyNot('an array')],
  ['null', bodyNot('null')],
  ['7', bodyNot('a number')],
  ['"quantity"', bodyNot('a string')],
  ['{"quantity":7', notJson],
  ['{"quantity":07}', notJson],
  [' ', notJson],
  ['', noBody],
  [undefined, noBody],
];

/** PATCH /inventory/{petId} */
export const updateInventory = (service: Checked): void =>
  describe('PATCH /inventory/{petId}', () => {
    const applied = readOnly ? describe.skip : describe;

    applied('of an entry', () => {
      const expectUpdated = async (petId: bigint | string, quantity: string, updated: Entry) =>
        expect(contract(await service.patch(petId, `{"quantity":${quantity}}`))).toEqual({
          status: 200,
          contentType: 'application/json',
          body: updated,
        });

      // Both ends of the list: where a petId would first lose digits.
      test.each([0, -1])('sets its quantity and returns it (entry %s of the list)', async (index) => {
        const entry = service.entries.at(index) as Entry;
        const updated = { ...entry, quantity: entry.quantity === 7n ? 8n : 7n };
        await restoring(service, entry, async () => {
          await expectUpdated(entry.petId, String(updated.quantity), updated);
          expect(await list(service)).toContainEqual(updated);
        });
        expect(await list(service)).toContainEqual(entry);
      });

      test('finds it by a percent-encoded petId', async () => {
        const entry = service.entries.at(-1) as Entry;
        const encoded = String(entry.petId).replaceAll(/./g, (digit) => `%${digit.charCodeAt(0).toString(16)}`);
        await restoring(service, entry, () => expectUpdated(encoded, '7', { ...entry, quantity: 7n }));
      });

      test.each(['0', '9007199254740991', '1.0', '1e2', ' 5 '])('takes the quantity %s', async (quantity) => {
        const entry = service.entries[0] as Entry;
        const updated = { ...entry, quantity: BigInt(Number(quantity)) };
        await restoring(service, entry, () => expectUpdated(entry.petId, quantity, updated));
      });
    });

    test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
      'reads %s, and creates no entry',
      async (type) => {
        expect(contract(await service.patch(service.absent, '{"quantity":7}', { 'Content-Type': type }))).toEqual(
          notFound,
        );
      },
    );

    const padded = (bytes: number) => `{"quantity":7${' '.repeat(bytes - 14)}}`;
    test.each([
      ['4,096 bytes', padded(4_096), notFound],
      ['4,097 bytes', padded(4_097), tooLarge(4_097)],
      ['4,096 bytes of UTF-8', `"${'é'.repeat(2_047)}"`, bodyNot('a string')],
      ['4,098 bytes of UTF-8', `"${'é'.repeat(2_048)}"`, tooLarge(4_098)],
    ])('parses a body of at most 4,096 bytes: %s', async (_size, body, response) => {
      expect(contract(await service.patch(service.absent, body))).toEqual(response);
    });

    test.each([
      ['text/plain', 'not "text/plain"'],
      ['application/jsonp', 'not "application/jsonp"'],
      ['x-application/json', 'not "x-application/json"'],
      ['application/x-www-form-urlencoded', 'not "application/x-www-form-u…"'],
      [undefined, 'and is missing'],
    ])('rejects Content-Type %s', async (type, reason) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      expect(contract(await service.patch(service.rejecting, '{"quantity":8}', headers))).toEqual(
        errorResponse(400, 'unsupported_content_type', `Content-Type must be application/json, ${reason}.`),
      );
    });

    const unencoded = ['abc', '1.5', '1e0', '01', '+1', '-0', '9223372036854775808', '-9223372036854775809'];
    test.each([
      ...[...unencoded, '1'.repeat(24)].map((petId) => [petId, `"${petId}"`] as const),
      ['%201', '" 1"'],
      ['%22', String.raw`"\""`],
      ['%D9%A1', '"١"'],
      ['1'.repeat(100), '"111111111111111111111111…"'],
    ])('rejects the petId %s', async (petId, quoted) => {
      const error = invalid('pet_id', `petId must be ${petIdRange}, not ${quoted}.`);
      expect(contract(await service.patch(petId, '{"quantity":7}'))).toEqual(error);
    });

    test.each(bodies)('rejects the body %s', async (body, error) => {
      expect(contract(await service.patch(service.rejecting, body))).toEqual(error);
    });
  });
