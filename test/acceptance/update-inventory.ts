import { expect, test } from '@jest/globals';
import { type ErrorCode, statusOfCode } from '../../functions/errors/api-error.ts';
import { errorResponse, json } from '../support/http/http-client.ts';
import type { Message } from '../support/http/raw-request.ts';
import {
  absent,
  etagOf,
  type InventoryItem,
  largest,
  list,
  newQuantity,
  patch,
  smallest,
  testInStaging,
} from './service.ts';

const percentEncoded = (petId: bigint): string =>
  String(petId).replaceAll(/./g, (digit) => `%${digit.charCodeAt(0).toString(16)}`);

testInStaging.each([smallest, largest])(
  'PATCH /inventory/$petId sets any quantity, and the list has it',
  async ({ petId, status }: InventoryItem) => {
    let updated: InventoryItem | undefined;
    for (const quantity of [0n, 9_007_199_254_740_991n, newQuantity()]) {
      updated = { petId, quantity, status };
      expect(await patch(percentEncoded(petId), `{"quantity":${quantity}}`)).toMatchObject({
        status: 200,
        headers: { etag: etagOf(updated) },
        body: updated,
      });
    }
    expect(await list()).toContainEqual(updated);
  },
);

interface Rejected {
  what: string;
  code: ErrorCode;
  petId?: bigint | string;
  headers?: Message['headers'];
  body?: string | undefined;
}

const quoted = (characters: number): string => `"${'é'.repeat(characters)}"`;

/**
 * Updates of what is no entry, so that they change nothing whatever becomes of them. All that the
 * service rejects is in test/functions/rejected-requests.txt.
 */
const rejected: Rejected[] = [
  { what: 'a petId that is no number', code: 'invalid_pet_id', petId: 'abc' },
  { what: 'no Content-Type', code: 'unsupported_content_type', headers: {} },
  {
    what: 'the Content-Type of a form',
    code: 'unsupported_content_type',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  },
  { what: 'no body', code: 'invalid_body', body: undefined },
  { what: '4,096 bytes of text', code: 'invalid_body', body: quoted(2_047) },
  { what: 'more bytes', code: 'request_too_large', body: quoted(2_048) },
  { what: 'no quantity', code: 'invalid_quantity', body: '{}' },
  { what: 'a petId without an entry', code: 'pet_not_found' },
  {
    what: 'an ETag, but no entry',
    code: 'pet_not_found',
    headers: { ...json, 'If-Match': '"7-available"' },
  },
  {
    what: 'a query, and no entry',
    code: 'pet_not_found',
    petId: `${absent}/?quantity=8`,
    headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
  },
];

test.each(rejected)('$code: an update with $what', async ({ code, ...update }: Rejected) => {
  const valid = { petId: absent, body: '{"quantity":7}', headers: json };
  const { petId, body, headers } = { ...valid, ...update };
  const response = await patch(petId, body, headers);
  expect(response).toMatchObject(errorResponse(statusOfCode[code], code));
});
