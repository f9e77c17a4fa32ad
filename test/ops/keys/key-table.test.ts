import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { keyTable } from '../../../ops/keys/key-table.ts';

const active: KeySummary = {
  id: '4be1c0ffee4be1c0',
  name: 'shop',
  state: 'active',
  created: '2027-01-15T08:00:00Z',
  expires: null,
  revoked: null,
  replaces: null,
  replacedBy: null,
};
const [expires, revoked] = ['2027-02-15T08:00:00Z', '2027-02-01T08:00:00Z'];
const expired: KeySummary = { ...active, name: 'old', state: 'expired', expires };
const ended: KeySummary = { ...active, name: 'leaked', state: 'revoked', expires, revoked };
const replaced: KeySummary = {
  ...active,
  name: 'x'.repeat(64),
  expires,
  replacedBy: 'c0ffee4be1c0ffee',
};
const byHand: KeySummary = { ...active, id: null, name: null, state: 'invalid', created: null };

test('a table of keys shows which works, when each ends, and what replaces it', () => {
  expect(keyTable([active, expired, ended, byHand], false).split('\n')).toEqual([
    'ID                NAME    STATE    CREATED     ENDS                  REPLACED BY',
    '4be1c0ffee4be1c0  shop    active   2027-01-15  -                     -',
    `4be1c0ffee4be1c0  old     expired  2027-01-15  ${expires}  -`,
    `4be1c0ffee4be1c0  leaked  revoked  2027-01-15  ${revoked}  -`,
    '-                 -       invalid  -           -                     -',
  ]);
});

test('a table of keys fits 100 columns', () => {
  const [head, row] = keyTable([replaced], false).split('\n');
  expect(head).toHaveLength(95);
  expect(row).toBe(
    `4be1c0ffee4be1c0  ${'x'.repeat(21)}…  active  2027-01-15  ${expires}  c0ffee4be1c0ffee`,
  );
  expect(row).toHaveLength(100);
});

test('colors set off the keys that do not work', () => {
  const keys = [active, expired, ended, byHand];
  const lines = keyTable(keys, true).split('\n');
  expect(lines.map((line) => line.startsWith('\u001b[90m'))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
  expect(stripVTControlCharacters(lines.join('\n'))).toBe(keyTable(keys, false));
});
