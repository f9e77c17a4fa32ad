import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm, readSecret } from '../../../ops/cli/questions.ts';
import { guarded, type Terminal } from '../../../ops/cli/terminal.ts';

const question = 'Deploy prod?';

/** Returns a terminal on which this is typed, and what it shows. */
const typing = (typed: string) => {
  const modes: boolean[] = [];
  const setRawMode = (isRaw: boolean) => modes.push(isRaw);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  stdin.write(typed);
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal: Terminal = guarded({ stdin, stdout: new PassThrough(), stderr, env: {} });
  return { terminal, stdin, modes, errors: () => stderr.read() };
};

test.each(['y\r', 'Y\n', 'yes\r', 'YES\r'])('%j confirms', async (typed) => {
  const { terminal, errors } = typing(typed);
  await confirm(terminal, {}, question);
  expect(errors()).toBe('Deploy prod? [y/N] ');
});

test.each(['\r', 'n\r', 'yess\r', 'may\r'])('%j does not confirm', async (typed) => {
  const { terminal } = typing(typed);
  await expect(confirm(terminal, {}, question)).rejects.toThrow(/^Nothing was changed\.$/);
});

test('Ctrl-D, which ends the input, does not confirm', async () => {
  const { terminal, stdin } = typing('');
  stdin.end();
  await expect(confirm(terminal, {}, question)).rejects.toThrow(/^Nothing was changed\.$/);
});

test('the terminal shows no secret from the prompt on, and what is typed again afterwards', async () => {
  const { terminal, stdin, errors } = typing('secret\r');
  const shownAt: [boolean, string][] = [];
  stdin.setRawMode = (isRaw) => shownAt.push([isRaw, errors()]);
  expect(await readSecret(terminal, 'API key: ')).toBe('secret');
  expect(shownAt).toStrictEqual([
    [true, null],
    [false, 'API key: \n'],
  ]);
});

test.each(['\u0003', '\u0004'])('%j ends the reading of a secret', async (typed) => {
  const { terminal, modes, errors } = typing(typed);
  await expect(readSecret(terminal, 'API key: ')).rejects.toThrow(/^Aborted with Ctrl\+[CD]$/);
  expect([errors(), modes]).toStrictEqual(['API key: \n', [true, false]]);
});

test('a secret in a pipe is read to its end', async () => {
  const terminal = { ...typing('').terminal, stdin: Readable.from(['se', 'cret', '\n']) };
  expect(await readSecret(terminal, 'API key: ')).toBe('secret\n');
});
