import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { absent, apiKey, errorResponse, json, keyMayWrite, sendBare } from './service.ts';

const list = (Authorization: string) =>
  sendBare({ path: '/inventory', headers: { Authorization } });

const update = (Authorization: string) =>
  sendBare({
    method: 'PATCH',
    path: `/inventory/${absent}`,
    headers: { ...json, Authorization },
    body: '{"quantity":999}',
  });

const unauthorized = errorResponse(
  401,
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. ' +
    'Send "Authorization: Bearer <API_KEY>".',
);

const [, stageName = ''] = apiKey.split('_');
const withTypo = apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

describe('both operations', () => {
  test.each([
    { what: 'no Authorization header', value: '' },
    { what: 'no key', value: 'Bearer' },
    { what: 'another scheme', value: 'Basic x' },
    { what: 'nonsense for a key', value: 'Bearer nonsense' },
    { what: 'a key with a typo', value: `Bearer ${withTypo}` },
    { what: 'an unknown key', value: `Bearer ${createApiKey(stageName)}` },
  ])('reject a request with $what', async ({ value }) => {
    expect(await list(value)).toMatchObject(unauthorized);
    expect(await update(value)).toMatchObject(unauthorized);
  });

  test.each(['Bearer ', 'bearer ', 'BEARER   '])(
    'accept a valid key after "%s"',
    async (scheme) => {
      expect((await update(scheme + apiKey)).status).toBe(keyMayWrite ? 404 : 403);
    },
  );
});
