import { describe, expect, test } from '@jest/globals';
import { createApiKey, hashApiKey, isWellFormedApiKey } from '../../../functions/keys/api-key.ts';

describe('API keys', () => {
  test('are new each time, of their stage', () => {
    const keys = Array.from({ length: 100 }, () => createApiKey('staging'));
    expect(new Set(keys).size).toBe(100);
    expect(keys.filter((key) => isWellFormedApiKey(key, 'staging'))).toEqual(keys);
    expect(keys.filter((key) => isWellFormedApiKey(key, 'prod'))).toEqual([]);
  });

  test('keep their format: what was issued once must stay readable', () => {
    const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f10111213dd2b7b0b';
    expect(isWellFormedApiKey(apiKey, 'staging')).toBe(true);
    expect(hashApiKey(apiKey)).toBe('dd7d0d5c46b95001a604a1cc4c2023e983f97d3aba3cd2ee3370ef6d4d895b4d');
  });

  test('with any one character changed are rejected by the checksum', () => {
    const key = createApiKey('staging');
    const typos = [...key].map((character, i) => key.slice(0, i) + (character === 'a' ? 'b' : 'a') + key.slice(i + 1));
    expect(typos.filter((typo) => isWellFormedApiKey(typo, 'staging'))).toEqual([]);
  });
});
