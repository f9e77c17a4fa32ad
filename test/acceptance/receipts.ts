// What becomes of an update with an Idempotency-Key: the same request gets the same response, and is
// applied once.
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import type { HttpResponse } from '../support/http/raw-request.ts';
import {
  absent,
  etagOf,
  etagOfNone,
  largest,
  look,
  newQuantity,
  testInStaging,
  type Update,
  update,
} from './service.ts';

const { petId } = largest;

/** What of a response is the same whenever a request is sent again. */
const same = ({ status, headers, text }: HttpResponse) => {
  const others = Object.entries(headers).filter(([name]) => !/^(date|x-amz.*)$/.test(name));
  return { status, headers: Object.fromEntries(others), text };
};

/** Sends a request again, and another one with its key. */
const expectRemembered = async (sent: Update, first: HttpResponse, code: string) => {
  expect(same(await update(petId, sent))).toStrictEqual(same(first));
  const { etag } = first.headers;
  expect(await update(petId, { ...sent, quantity: newQuantity() })).toMatchObject({
    ...errorResponse(422, code),
    headers: { etag },
  });
};

testInStaging.each(['its ETag', 'no ETag'])(
  'Idempotency-Key: an update with %s is applied once, also when the stock has come back',
  async (which) => {
    const item = await look(petId);
    const ifMatch = which === 'its ETag' ? etagOf(item) : undefined;
    const sent = { quantity: newQuantity(), ifMatch, key: randomUUID() };
    const first = await update(petId, sent);
    expect(first).toMatchObject({
      status: 200,
      headers: { etag: etagOf({ ...item, ...sent }), 'idempotency-key': sent.key },
    });
    await update(petId, { quantity: item.quantity });
    await expectRemembered(sent, first, 'already_applied');
    expect(await look(petId)).toStrictEqual(item);
  },
);

testInStaging(
  'Idempotency-Key: an update with another ETag is refused for good, also when it has come',
  async () => {
    const item = await look(petId);
    const later = { ...item, quantity: newQuantity() };
    const sent = { quantity: newQuantity(), ifMatch: etagOf(later), key: randomUUID() };
    const first = await update(petId, sent);
    expect(first).toMatchObject({ status: 412, headers: { etag: etagOf(item) } });
    await update(petId, { quantity: later.quantity });
    await expectRemembered(sent, first, 'already_refused');
    expect(await look(petId)).toStrictEqual(later);
  },
);

testInStaging(
  'Idempotency-Key: five at once get the same response, and are applied once',
  async () => {
    const item = await look(petId);
    const sent = { quantity: newQuantity(), ifMatch: etagOf(item), key: randomUUID() };
    const five = Array.from({ length: 5 }, () => update(petId, sent));
    const [first, ...others] = (await Promise.all(five)).map(same);
    expect(first).toMatchObject({ status: 200 });
    expect(others).toStrictEqual(Array(4).fill(first));
    expect(await look(petId)).toStrictEqual({ ...item, quantity: sent.quantity });
  },
);

test('Idempotency-Key: without an entry, an update is refused for good', async () => {
  const sent = { quantity: newQuantity(), key: randomUUID() };
  const first = await update(absent, sent);
  expect(first).toMatchObject({
    ...errorResponse(404, 'pet_not_found'),
    headers: { 'idempotency-key': sent.key },
  });
  expect(same(await update(absent, sent))).toStrictEqual(same(first));
  const other = await update(absent, { ...sent, ifMatch: '"7-sold"' });
  expect(other).toMatchObject(errorResponse(422, 'already_refused'));
});

// Also in prod, where another client may change the entry meanwhile.
test('Idempotency-Key: an update that is refused for good says how the entry is', async () => {
  const sent = { quantity: newQuantity(), ifMatch: etagOfNone, key: randomUUID() };
  const first = await update(petId, sent);
  expect(first).toMatchObject({
    ...errorResponse(412, 'precondition_failed'),
    headers: { etag: expect.stringMatching(/^"\d+-/), 'idempotency-key': sent.key },
  });
  expect(same(await update(petId, sent))).toStrictEqual(same(first));
});
