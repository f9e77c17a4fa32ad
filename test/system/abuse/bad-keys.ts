import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { contract, errorResponse } from '../../support/http-client.ts';
import { inParallel } from '../../support/in-parallel.ts';
import type { FaultyRun } from '../faults/faulty-run.ts';

const unauthorized = errorResponse(
  401,
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
);

/** A key with a typo. */
export const wrongLast = (apiKey: string) => apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');

/** Tests what so many keys cost that are not those of the stage. */
export const testBadKeys = (malformed: number, wellFormed: number, getRun: () => FaultyRun) => {
  // An update, because the throttle of lists would reject some.
  const patchWith = (apiKey: string) =>
    getRun().sendBare({
      method: 'PATCH',
      path: '/inventory/404404',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: '{"quantity":7}',
    });

  /** How many reads of the table it costs that each is rejected. */
  const readsOf = async (apiKeys: string[]) => {
    const before = getRun().count('GetItem');
    const responses = await inParallel(apiKeys, 20, async (apiKey) => contract(await patchWith(apiKey)));
    expect(responses).toEqual(apiKeys.map(() => unauthorized));
    return getRun().count('GetItem') - before;
  };

  const keys = (count: number) => Array.from({ length: count }, () => createApiKey('staging'));

  test(`${malformed} malformed keys cost no read of the table`, async () => {
    const typos = keys(malformed / 2).map(wrongLast);
    expect(await readsOf([...typos, ...typos.map((apiKey) => apiKey.toUpperCase())])).toBe(0);
  });

  test(`${wellFormed} well-formed keys cost one read each, however often they come after the first response`, async () => {
    const unknown = keys(wellFormed);
    expect(await readsOf(unknown)).toBe(wellFormed);
    expect(await readsOf(unknown)).toBe(0);
  });
};
