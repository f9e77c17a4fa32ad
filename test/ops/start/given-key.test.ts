import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { givenKey, issueOrReuse } from '../../../ops/start/given-key.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { stage, all, change, stateOf } = localKeys();

const given = createApiKey('staging');
const form = 'A key is petstore_STAGE_ followed by 48 hex digits.';

test('a well-formed key of the stage is accepted', () => {
  expect(givenKey(given, 'staging')).toBe(given);
});

test.each([
  ['', `There is no API key in this. ${form}`],
  ['secret', `There is no API key in this. ${form}`],
  [given.slice(0, -1), `This is not an API key. ${form} This has 47.`],
  [
    given.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    'This is no API key that was ever issued: its checksum is wrong.',
  ],
  [createApiKey('prod'), 'The key given with --api-key is one of prod, but this run is staging.'],
])('%s is no key of staging', (text, message) => {
  expect(() => givenKey(text, 'staging')).toThrow(
    expect.objectContaining({ code: 'invalid', message }),
  );
});

test('without a key, a new one is issued', async () => {
  const apiKey = await issueOrReuse(stage.apiKeys(), 'staging', undefined);
  expect(await stateOf(apiKey)).toBe('active');
  expect(await all()).toMatchObject([{ name: 'petstore start' }]);
});

test('a key that is given is the only one that is issued', async () => {
  expect(await issueOrReuse(stage.apiKeys(), 'staging', given)).toBe(given);
  expect(await stateOf(given)).toBe('active');
  expect(await all()).toMatchObject([{ name: 'petstore start' }]);
});

test('a key that is given again is not issued again', async () => {
  await issueOrReuse(stage.apiKeys(), 'staging', given);
  const before = await all();
  expect(await issueOrReuse(stage.apiKeys(), 'staging', given)).toBe(given);
  expect(await all()).toEqual(before);
});

test.each([
  ['was revoked', { revokedAt: 1 }],
  ['has expired', { expiresAt: 1 }],
  ['is denied', { access: 'unknown' as never }],
])('a key that %s is not made to work again', async (ended, changes) => {
  await issueOrReuse(stage.apiKeys(), 'staging', given);
  const [record] = await all();
  await change(record?.keyId ?? '', changes);
  const before = await all();
  await expect(issueOrReuse(stage.apiKeys(), 'staging', given)).rejects.toMatchObject({
    code: 'conflict',
    message: `The key given with --api-key ${ended} in these tables.`,
  });
  expect(await all()).toEqual(before);
});
