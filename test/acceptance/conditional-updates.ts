import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from '../support/http/http-client.ts';
import { changing, etagOf, look, newQuantity, rejectedQuantity, updateIf } from './changing.ts';
import { repeated } from './repeated.ts';
import { type Checked, type InventoryItem, listed } from './service.ts';

/** Defines the checks of PATCH /inventory/{petId} with the header If-Match. */
export const conditionalUpdates = (service: Checked): void =>
  describe('PATCH /inventory/{petId} with If-Match', () => {
    if (!service.readOnly) {
      appliesWhatMatches(service);
      rejectsWhatDiffers(service);
      appliesOneOfTwo(service);
    }
    rejectsOtherConditions(service);
    findsNoEntry(service);
  });

/** Runs a check on the entry with the largest petId, which it may change. */
const onEntry = (service: Checked, check: (item: InventoryItem) => Promise<void>) =>
  repeated(() => changing(service, service.items().at(-1) as InventoryItem, check));

const preconditionFailed = errorResponse(
  412,
  'precondition_failed',
  'The entry is not as If-Match says. The ETag header says how it is now.',
);

const appliesWhatMatches = (service: Checked): void => {
  for (const kind of ['the ETag of the entry', '*']) {
    test(
      `applies an update whose If-Match is ${kind}, and returns the new ETag`,
      onEntry(service, async (item) => {
        const ifMatch = kind === '*' ? '*' : etagOf(item);
        const updated = { ...item, quantity: newQuantity() };
        const { quantity } = updated;
        expect(await updateIf(service, item.petId, { quantity, ifMatch })).toMatchObject({
          status: 200,
          headers: { etag: etagOf(updated) },
          body: updated,
        });
        expect(await listed(service, item.petId)).toStrictEqual(updated);
      }),
    );
  }
};

const rejectsWhatDiffers = (service: Checked): void => {
  const others: Record<string, (item: InventoryItem) => string> = {
    'another quantity': (item) => etagOf({ ...item, quantity: item.quantity + 1n }),
    'another status': (item) =>
      etagOf({ ...item, status: item.status === 'sold' ? 'pending' : 'sold' }),
    'a weak ETag': (item) => `W/${etagOf(item)}`,
    'a leading zero': ({ quantity, status }) => `"0${quantity}-${status}"`,
    'an ETag of another form': () => '"33a64df5"',
  };
  for (const [what, other] of Object.entries(others)) {
    test(
      `rejects an update whose If-Match has ${what}, returns the ETag and changes nothing`,
      onEntry(service, async (item) => {
        const update = { quantity: newQuantity(), ifMatch: other(item) };
        const response = await updateIf(service, item.petId, update);
        expect(response).toMatchObject({ ...preconditionFailed, headers: { etag: etagOf(item) } });
        expect(await look(service, item)).toStrictEqual(item);
      }),
    );
  }
};

const appliesOneOfTwo = (service: Checked): void =>
  test(
    'applies one of two updates with the same ETag',
    onEntry(service, async (item) => {
      const responses = await Promise.all(
        [newQuantity(), newQuantity()].map((quantity) =>
          updateIf(service, item.petId, { quantity, ifMatch: etagOf(item) }),
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

const otherConditions: Record<string, string>[] = [
  { 'If-Match': '7-available' },
  { 'If-Match': '"7-sold", "8-sold"' },
  { 'If-Match': '*, "7-sold"' },
  { 'If-None-Match': '*' },
];

const rejectsOtherConditions = (service: Checked): void =>
  test.each(otherConditions.map((headers) => ({ headers })))(
    'rejects the condition $headers',
    repeated(async ({ headers }: { headers: Record<string, string> }) => {
      const body = `{"quantity":${rejectedQuantity}}`;
      const response = await service.patch(service.rejecting, body, { ...json, ...headers });
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'invalid_if_match', status: 400n },
      });
    }),
  );

const findsNoEntry = (service: Checked): void =>
  test.each(['"7-available"', '*'])(
    'finds no entry, whatever its ETag: %s',
    repeated(async (ifMatch: string) => {
      const update = { quantity: rejectedQuantity, ifMatch };
      expect(await updateIf(service, service.absent, update)).toMatchObject(
        errorResponse(404, 'pet_not_found', 'No inventory entry has this petId.'),
      );
    }),
  );
