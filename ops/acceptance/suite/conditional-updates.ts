import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from './http-client.ts';
import { type Checked, list, restoring } from './inventory.ts';
import type { InventoryItem } from './inventory-item.ts';
import type { HttpResponse } from './raw-request.ts';
import { repeated } from './repeated.ts';

/** Defines the checks of PATCH /inventory/{petId} with the header If-Match. */
export const conditionalUpdates = (service: Checked): void =>
  describe('PATCH /inventory/{petId} with If-Match', () => {
    if (!service.readOnly) {
      appliesOnlyWhatMatches(service);
    }
    rejectsOtherConditions(service);
  });

const etagOf = ({ quantity, status }: Pick<InventoryItem, 'quantity' | 'status'>): string =>
  `"${quantity}-${status}"`;

const update = (
  { patch }: Checked,
  petId: bigint,
  { quantity, ifMatch }: { quantity: bigint; ifMatch: string },
): Promise<HttpResponse> =>
  patch(petId, `{"quantity":${quantity}}`, { ...json, 'If-Match': ifMatch });

const preconditionFailed = errorResponse(
  412,
  'precondition_failed',
  'The entry is not as If-Match says. The ETag header says how it is now.',
);

const appliesOnlyWhatMatches = (service: Checked): void => {
  /**
   * Runs a check on the last entry, with a quantity of 6 or 7, and restores it. Rejected updates
   * are of the first entry: restoring that would hide one which was applied all the same.
   */
  const onItem = (check: (item: InventoryItem) => Promise<void>) =>
    repeated(() => {
      const found = service.items.at(-1) as InventoryItem;
      const item = { ...found, quantity: found.quantity === 7n ? 6n : 7n };
      return restoring(service, found, async () => {
        const { headers } = await service.patch(item.petId, `{"quantity":${item.quantity}}`);
        expect(headers.etag).toBe(etagOf(item));
        await check(item);
      });
    });

  for (const kind of ['the ETag of the entry', '*']) {
    test(
      `applies an update whose If-Match is ${kind}, and returns the new ETag`,
      onItem(async (item) => {
        const ifMatch = kind === '*' ? '*' : etagOf(item);
        const updated = { ...item, quantity: 4n };
        expect(await update(service, item.petId, { quantity: 4n, ifMatch })).toMatchObject({
          status: 200,
          headers: { etag: etagOf(updated) },
          body: updated,
        });
      }),
    );
  }

  const others = {
    'another quantity': (item: InventoryItem) => etagOf({ ...item, quantity: 5n }),
    'another status': (item: InventoryItem) =>
      etagOf({ ...item, status: item.status === 'sold' ? 'pending' : 'sold' }),
    'a weak ETag': (item: InventoryItem) => `W/${etagOf(item)}`,
    'a leading zero': ({ quantity, status }: InventoryItem) => `"0${quantity}-${status}"`,
  };
  for (const [what, other] of Object.entries(others)) {
    test(
      `rejects an update whose If-Match has ${what}, returns the ETag and changes nothing`,
      onItem(async (item) => {
        const response = await update(service, item.petId, { quantity: 4n, ifMatch: other(item) });
        expect(response).toMatchObject({ ...preconditionFailed, headers: { etag: etagOf(item) } });
        expect(await list(service)).toContainEqual(item);
      }),
    );
  }

  test(
    'applies one of two updates with the same ETag',
    onItem(async (item) => {
      const responses = await Promise.all(
        [3n, 4n].map((quantity) =>
          update(service, item.petId, { quantity, ifMatch: etagOf(item) }),
        ),
      );
      expect(responses.toSorted((a, b) => a.status - b.status)).toMatchObject([
        { status: 200 },
        preconditionFailed,
      ]);
      // Both say how the entry is since then.
      expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(1);
    }),
  );
};

interface OtherCondition {
  headers: Record<string, string>;
  message: string;
}

const otherConditions: OtherCondition[] = [
  {
    headers: { 'If-Match': '7-available' },
    message: 'If-Match must be one ETag, such as "7-available", or *, not "7-available".',
  },
  {
    headers: { 'If-Match': '"7-sold", "8-sold"' },
    message: String.raw`If-Match must be one ETag, such as "7-available", or *, not "\"7-sold\", \"8-sold\"".`,
  },
  {
    headers: { 'If-None-Match': '*' },
    message: 'If-None-Match is not supported. Send If-Match with one ETag, such as "7-available".',
  },
];

const rejectsOtherConditions = (service: Checked): void => {
  test.each(otherConditions)(
    'rejects the condition $headers',
    repeated(async ({ headers, message }: OtherCondition) => {
      const response = await service.patch(service.rejecting, '{"quantity":8}', {
        ...json,
        ...headers,
      });
      expect(response).toMatchObject(errorResponse(400, 'invalid_if_match', message));
    }),
  );

  test.each(['"7-available"', '*'])(
    'finds no entry, whatever its ETag: %s',
    repeated(async (ifMatch: string) => {
      expect(await update(service, service.absent, { quantity: 8n, ifMatch })).toMatchObject(
        errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.'),
      );
    }),
  );
};
