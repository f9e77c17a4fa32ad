import { describe, expect, test } from '@jest/globals';
import { errorResponse } from '../../support/http/http-client.ts';
import { errors, notObject, rejectedUpdates, tooLarge } from '../../support/http/rejections.ts';
import { type Checked, type Entry, list, readOnly, restoring } from './inventory.ts';

/** Defines the checks of PATCH /inventory/{petId}. */
export const updateInventory = (service: Checked): void =>
  describe('PATCH /inventory/{petId}', () => {
    const applied = readOnly ? describe.skip : describe;

    applied('of an existing entry', () => {
      const expectUpdated = async (petId: bigint | string, quantity: string, updated: Entry) =>
        expect(await service.patch(petId, `{"quantity":${quantity}}`)).toMatchObject({
          status: 200,
          body: updated,
        });

      // These two petIds would be the first to lose digits.
      test.each(['smallest', 'largest'])(
        'sets the quantity of the %s petId, percent-encoded or not',
        async (which) => {
          const entry = service.entries.at(which === 'smallest' ? 0 : -1) as Entry;
          const updated = { ...entry, quantity: entry.quantity === 7n ? 8n : 7n };
          const encoded = String(entry.petId).replaceAll(
            /./g,
            (digit) => `%${digit.charCodeAt(0).toString(16)}`,
          );
          await restoring(service, entry, async () => {
            await expectUpdated(encoded, '6', { ...entry, quantity: 6n });
            await expectUpdated(entry.petId, String(updated.quantity), updated);
            expect(await list(service)).toContainEqual(updated);
          });
          expect(await list(service)).toContainEqual(entry);
        },
      );

      test.each(['0', '9007199254740991', '1.0', '1e2', ' 5 '])(
        'accepts {"quantity":%s}',
        async (quantity) => {
          const entry = service.entries[0] as Entry;
          const updated = { ...entry, quantity: BigInt(Number(quantity)) };
          await restoring(service, entry, () => expectUpdated(entry.petId, quantity, updated));
        },
      );
    });

    test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
      'accepts the Content-Type %s, and creates no entry',
      async (type) => {
        const response = await service.patch(service.absent, '{"quantity":7}', {
          'Content-Type': type,
        });
        expect(response).toMatchObject(errorResponse(...errors.notFound));
      },
    );

    test('reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large', async () => {
      const ofBytes = (bytes: number) =>
        service.patch(service.absent, `"${'é'.repeat(bytes / 2 - 1)}"`);
      expect(await ofBytes(4_096)).toMatchObject(errorResponse(...notObject('a string')));
      expect(await ofBytes(4_098)).toMatchObject(errorResponse(...tooLarge(4_098)));
    });

    const rejected = rejectedUpdates.flatMap(([rejection, update]) =>
      Object.entries(update).map(
        ([part, text = 'missing']) =>
          [part.replace('type', 'Content-Type'), text, update, rejection] as const,
      ),
    );
    test.each(rejected)(
      'rejects an update whose %s is %s',
      async (_part, _text, update, rejection) => {
        const right = {
          petId: service.rejecting,
          type: 'application/json',
          body: '{"quantity":8}',
        };
        const { petId, type, body } = { ...right, ...update };
        const headers = type === undefined ? {} : { 'Content-Type': type };
        expect(await service.patch(petId, body, headers)).toMatchObject(
          errorResponse(...rejection),
        );
      },
    );
  });
