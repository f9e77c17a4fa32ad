import { describe, expect, test } from '@jest/globals';
import { errorResponse, json } from './http-client.ts';
import type { Checked } from './inventory.ts';
import type { Message } from './raw-request.ts';
import { repeated } from './repeated.ts';

interface Update {
  what: string;
  petId?: string;
  body?: string;
  headers?: Message['headers'];
}

const updates: Update[] = [
  { what: 'nothing wrong with it' },
  { what: 'a condition', headers: { ...json, 'If-Match': '"7-available"' } },
  { what: 'a wrong condition', headers: { ...json, 'If-Match': '7' } },
  { what: 'no petId that can exist', petId: 'abc' },
  { what: 'no quantity', body: '{}' },
  { what: 'no Content-Type', headers: {} },
  { what: 'too large a body', body: `"${'x'.repeat(4_096)}"` },
];

/** Defines the checks that a key which may only read updates nothing. */
export const readOnlyKey = (service: Checked): void =>
  describe('PATCH /inventory/{petId} with a read-only key', () => {
    test.each(updates)(
      'rejects an update that has $what',
      repeated(async ({ petId, body = '{"quantity":8}', headers = json }: Update) => {
        const response = await service.patch(petId ?? service.rejecting, body, headers);
        expect(response).toMatchObject(
          errorResponse(403, 'read_only_key', 'This API key may only read.'),
        );
      }),
    );
  });
