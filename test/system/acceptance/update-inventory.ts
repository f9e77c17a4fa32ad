import { describe, expect, test } from '@jest/globals';
import { contract, errorResponse } from '../../support/http-client.ts';
import { notObject, tooLarge, wrongBodies, wrongPetIds, wrongTypes } from '../../support/rejections.ts';
import { type Checked, type Entry, list, readOnly, restoring } from './inventory.ts';

const notFound = errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.');

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
      ['4,097 bytes', padded(4_097), errorResponse(...tooLarge(4_097))],
      ['4,096 bytes of UTF-8', `"${'é'.repeat(2_047)}"`, errorResponse(...notObject('a string'))],
      ['4,098 bytes of UTF-8', `"${'é'.repeat(2_048)}"`, errorResponse(...tooLarge(4_098))],
    ])('parses a body of at most 4,096 bytes: %s', async (_size, body, response) => {
      expect(contract(await service.patch(service.absent, body))).toEqual(response);
    });

    test.each(wrongTypes)('rejects Content-Type %s', async (type, rejection) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      expect(contract(await service.patch(service.rejecting, '{"quantity":8}', headers))).toEqual(
        errorResponse(...rejection),
      );
    });

    test.each(wrongPetIds)('rejects the petId %s', async (petId, rejection) => {
      expect(contract(await service.patch(petId, '{"quantity":7}'))).toEqual(errorResponse(...rejection));
    });

    test.each(wrongBodies)('rejects the body %s', async (body, rejection) => {
      expect(contract(await service.patch(service.rejecting, body))).toEqual(errorResponse(...rejection));
    });
  });
