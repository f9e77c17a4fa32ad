import { describe, expect, test } from '@jest/globals';
import { errorResponse } from '../../support/http/http-client.ts';
import { errors, notObject, rejectedUpdates, tooLarge } from '../../support/http/rejections.ts';
import type { Entry } from './entry.ts';
import { type Checked, list, restoring } from './inventory.ts';
import { repeated } from './repeated.ts';

/** Defines the checks of PATCH /inventory/{petId}. */
export const updateInventory = (service: Checked): void =>
  describe('PATCH /inventory/{petId}', () => {
    const applied = service.readOnly ? describe.skip : describe;
    applied('of an existing entry', () => appliedUpdates(service));
    updatesOfNoEntry(service);
    rejectedOnes(service);
  });

const appliedUpdates = (service: Checked): void => {
  const expectUpdated = async (petId: bigint | string, quantity: string, updated: Entry) =>
    expect(await service.patch(petId, `{"quantity":${quantity}}`)).toMatchObject({
      status: 200,
      body: updated,
    });

  // These two petIds would be the first to lose digits.
  test.each(['smallest', 'largest'])(
    'sets the quantity of the %s petId, percent-encoded or not',
    repeated(async (which: string) => {
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
    }),
  );

  test.each(['0', '9007199254740991', '1.0', '1e2', ' 5 '])(
    'accepts {"quantity":%s}',
    repeated(async (quantity: string) => {
      const entry = service.entries[0] as Entry;
      const updated = { ...entry, quantity: BigInt(Number(quantity)) };
      await restoring(service, entry, () => expectUpdated(entry.petId, quantity, updated));
    }),
  );
};

const updatesOfNoEntry = (service: Checked): void => {
  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
    'accepts the Content-Type %s, and creates no entry',
    repeated(async (type: string) => {
      const response = await service.patch(service.absent, '{"quantity":7}', {
        'Content-Type': type,
      });
      expect(response).toMatchObject(errorResponse(...errors.notFound));
    }),
  );

  test(
    'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
    repeated(async () => {
      const ofBytes = (bytes: number) =>
        service.patch(service.absent, `"${'é'.repeat(bytes / 2 - 1)}"`);
      expect(await ofBytes(4_096)).toMatchObject(errorResponse(...notObject('a string')));
      expect(await ofBytes(4_098)).toMatchObject(errorResponse(...tooLarge(4_098)));
    }),
  );
};

const rejectedOnes = (service: Checked): void => {
  const rejected = rejectedUpdates.flatMap(([rejection, update]) =>
    Object.entries(update).map(([part, text = 'missing']) => ({
      part: part.replace('type', 'Content-Type'),
      text,
      update,
      rejection,
    })),
  );
  test.each(rejected)(
    'rejects an update whose $part is $text',
    repeated(async ({ update, rejection }: (typeof rejected)[number]) => {
      const right = {
        petId: service.rejecting,
        type: 'application/json',
        body: '{"quantity":8}',
      };
      const { petId, type, body } = { ...right, ...update };
      const headers = type === undefined ? {} : { 'Content-Type': type };
      expect(await service.patch(petId, body, headers)).toMatchObject(errorResponse(...rejection));
    }),
  );
};
