import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from '../support/http/http-client.ts';
import type { Message } from '../support/http/raw-request.ts';
import { rejectedQuantity } from './changing.ts';
import { repeated } from './repeated.ts';
import { keyMayWrite, patch, rejecting } from './service.ts';

interface Update {
  what: string;
  petId?: string;
  body?: string;
  headers?: Message['headers'];
}

const updates: Update[] = [
  { what: 'nothing wrong with it' },
  { what: 'a condition', headers: { ...json, 'If-Match': '*' } },
  { what: 'no petId that can exist', petId: 'abc' },
  { what: 'no Content-Type', headers: {} },
  { what: 'too large a body', body: `"${'x'.repeat(4_096)}"` },
];

(keyMayWrite ? describe.skip : describe)('PATCH /inventory/{petId} with a read-only key', () => {
  test.each(updates)(
    'rejects an update that has $what',
    repeated(async (update: Update) => {
      const { petId, body, headers } = {
        petId: rejecting.petId,
        body: `{"quantity":${rejectedQuantity}}`,
        headers: json,
        ...update,
      };
      expect(await patch(petId, body, headers)).toMatchObject(errorResponse(403, 'read_only_key'));
    }),
  );
});
