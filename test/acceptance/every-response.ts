import { expect, test } from '@jest/globals';
import { json } from '../support/http/http-client.ts';
import { repeated } from './repeated.ts';
import type { Checked } from './service.ts';

/** Defines the check of what an operator needs to find a request in the logs. */
export const everyResponse = (service: Checked): void =>
  test(
    'every response has a request id of its own',
    repeated(async () => {
      const path = `/inventory/${service.absent}`;
      const update = { method: 'PATCH', path, headers: json, body: '{"quantity":7}' };
      const responses = [
        await service.send(update),
        await service.send(update),
        // Without a key, and where there is no operation.
        await service.sendBare(update),
        await service.sendBare({ path: '/pets' }),
        await service.sendBare({ method: 'DELETE', path: '/inventory' }),
      ];
      const ids = [service.listHeaders, ...responses.map(({ headers }) => headers)].map(
        (headers) => headers['x-amzn-requestid'],
      );
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
