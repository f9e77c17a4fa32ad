import { expect, test } from '@jest/globals';
import { createApiKey, isWellFormedApiKey } from '../../../functions/keys/api-key.ts';

test('each API key is unique, and not well-formed with any one character changed', () => {
  const keys = Array.from({ length: 100 }, () => createApiKey('staging'));
  expect(new Set(keys).size).toBe(100);
  expect(keys.filter((key) => isWellFormedApiKey(key, 'staging'))).toEqual(keys);

  const [key = ''] = keys;
  const typos = [...key].map(
    (character, i) => key.slice(0, i) + (character === 'a' ? 'b' : 'a') + key.slice(i + 1),
  );
  expect(typos.filter((typo) => isWellFormedApiKey(typo, 'staging'))).toEqual([]);
});
