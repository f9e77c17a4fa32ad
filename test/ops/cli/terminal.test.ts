import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { print } from '../../../ops/cli/output.ts';
import { guarded, type Terminal, tableOf, tell } from '../../../ops/cli/terminal.ts';

/** Returns a terminal as commands get it, and what it shows. */
const screen = () => {
  const stdin = new PassThrough();
  const stdout = new PassThrough({ encoding: 'utf8' });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal: Terminal = guarded({ stdin, stdout, stderr, env: {} });
  return { terminal, output: () => stdout.read(), errors: () => stderr.read() };
};

const key = createApiKey('prod');
const shownKey = 'petstore_prod_…';

test.each([
  { what: 'a key', text: `a ${key} b`, shows: `a ${shownKey} b` },
  { what: 'each of several', text: `${key}, ${key}`, shows: `${shownKey} ${shownKey}` },
  { what: 'in upper case', text: key.toUpperCase(), shows: 'PETSTORE_PROD_…' },
  { what: 'in an option', text: `--name=x${key}`, shows: `--name=x${shownKey}` },
  { what: 'with a sign in it', text: `--${key.replace(/.{9}$/, '=$&')}`, shows: `--${shownKey}` },
  { what: 'half of it', text: key.slice(0, 30), shows: shownKey },
  { what: 'in JSON', text: JSON.stringify([`"${key}"`]), shows: `["\\"${shownKey}\\""]` },
])('standard error never shows a key: $what', ({ text, shows }) => {
  const { terminal, errors } = screen();
  tell(terminal, text);
  expect(errors()).toBe(`${shows}\n`);
});

test.each([
  'the ID of a key, 4be1c0ffee4be1c0',
  'how a key looks: petstore_STAGE_ and 64 hex digits',
  'the program petstore, and staging-petstore-inventory',
])('standard error shows what is no key: %s', (text) => {
  const { terminal, errors } = screen();
  tell(terminal, text);
  expect(errors()).toBe(`${text}\n`);
});

test('standard output shows keys, and escapes what controls a terminal', async () => {
  const { terminal, output } = screen();
  const value = { key, name: '\u001b\u009b\u200b' };
  await print(terminal, {}, value, `${key}\n\t\u001b[2J\u200b`);
  await print(terminal, { json: true }, value, 'The text is for people, without --json.');
  expect(output()).toBe(
    `${key}\n\t\\u001b[2J\\u200b\n{"key":"${key}","name":"\\u001b\\u009b\\u200b"}\n`,
  );
});

test('columns are as wide as what they show, and lines end with their last letter', () => {
  const rows = [
    ['ID', 'NAME', 'END'],
    ['1', 'shop', '-'],
    ['4be1', 'Ann', ''],
    ['3', 'a\n\t\u200b', 'x'],
  ];
  expect(tableOf(rows)).toBe(`\
ID    NAME                 END
1     shop                 -
4be1  Ann
3     a\\u000a\\u0009\\u200b  x`);
});
