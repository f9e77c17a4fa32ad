import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { StoredKey } from '../../../functions/keys/stored-key.ts';

/** The columns of ApiKeys, of which the compiler demands all. Sessions do not show the hash. */
const columns: Record<Exclude<keyof StoredKey, 'keyHash'>, true> = {
  keyId: true,
  access: true,
  name: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  replaces: true,
  lifetime: true,
};

test('a command writes each column', () => {
  // In a session, what the table gains begins with a +.
  const gained = globSync('test/ops/keys/*.session').flatMap(
    (file) => readFileSync(file, 'utf8').match(/^\+ \{.*"keyId".*/gm) ?? [],
  );
  const unwritten = Object.keys(columns).filter(
    (column) => !gained.some((record) => record.includes(`"${column}":`)),
  );
  expect(unwritten).toStrictEqual([]);
});
