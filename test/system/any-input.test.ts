import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HttpResponse } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';

/** What the gateway decides. What the functions do with any input is tested at their handlers. */
const runs = { headers: 60, paths: 100 };

describe('whatever a client sends', () => {
  let run: LocalRun;
  /** The quantity of every entry, as the responses of 200 have it. */
  const known = new Map<bigint, bigint>();
  const list = async () =>
    ((await run.send({ path: '/inventory' })).body as { petId: bigint; quantity: bigint }[]).map(
      ({ petId, quantity }) => [petId, quantity] as const,
    );
  beforeAll(async () => {
    run = await localRun();
    for (const [petId, quantity] of await list()) {
      known.set(petId, quantity);
    }
  });

  /** Asserts the status, and that the state changed as a 200 says and not at all otherwise. `send` asserts the contract. */
  const expectResponse = async ({ status, body }: HttpResponse, expected: number[]) => {
    expect(expected).toContain(status);
    if (status === 200) {
      const { petId, quantity } = body as { petId: bigint; quantity: bigint };
      known.set(petId, quantity);
    }
    expect(new Map(await list())).toEqual(known);
  };

  test('as headers: names and schemes in any case, JSON with any parameters', async () => {
    const anyCase = (text: string) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((upper) =>
          [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
        );
    const contentTypes = fc.oneof(
      anyCase('application/json'),
      anyCase('application/json; charset=UTF-8'),
      fc.constantFrom('application/json;', 'application/json ;a=b', 'text/json', 'application/json5', '*/*', 'json'),
    );
    const keys = fc.constantFrom<(key: string) => string | string[]>(
      (key) => key,
      (key) => [key, 'Bearer x'],
      () => 'Bearer x',
      () => `Bearer petstore_staging_${'0'.repeat(48)}`,
      (key) => key.replace(' ', ''),
      (key) => `${key} `,
      (key) => `${key},${key}`,
      (key) => key.slice(0, -1),
    );

    await fc.assert(
      fc.asyncProperty(
        anyCase('authorization'),
        anyCase('bearer'),
        keys,
        anyCase('content-type'),
        contentTypes,
        async (authorization, bearer, bend, contentTypeName, contentType) => {
          const key = `${bearer} ${run.apiKey}`;
          const sent = bend(key);
          const headers = { [authorization]: sent, [contentTypeName]: contentType };
          const options = { method: 'PATCH', path: '/inventory/1', headers, body: '{"quantity":7}' };
          const allowed = /^application\/json *(;|$)/i.test(contentType) ? 200 : 400;
          // Trailing blanks are no part of a header's value; of several headers AWS may take any.
          const opens = Array.isArray(sent) ? [allowed, 401] : [sent.trim() === key ? allowed : 401];
          await expectResponse(await run.sendBare(options), opens);
        },
      ),
      { numRuns: runs.headers },
    );
  });

  test('as path and method: nothing but the two operations does anything', async () => {
    const segment = fc.oneof(
      fc.constantFrom('v1', 'inventory', '1', '', '.', '..', '%2e', '%2F', '%00', '%', 'ping', '{petId}'),
      fc.stringMatching(/^[\w~!$&'()*+,;=:@%.-]{0,8}$/),
    );
    const paths = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
    const methods = fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD');

    await fc.assert(
      fc.asyncProperty(methods, paths, fc.boolean(), async (method, path, withKey) => {
        const { status } = await (withKey ? run.send : run.sendBare)({ method, path });
        // A PATCH without a body is a 400; a list does no harm.
        expect([200, 400, 401, 404, 405]).toContain(status);
        expect(status === 200).toBe(withKey && method === 'GET' && /^\/inventory\/?$/.test(path));
        expect(new Map(await list())).toEqual(known);
      }),
      { numRuns: runs.paths },
    );
  });
});
