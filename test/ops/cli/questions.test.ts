import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm } from '../../../ops/cli/questions.ts';
import { guarded, type Terminal } from '../../../ops/cli/terminal.ts';

const question = 'Deploy prod?';

/** Returns a terminal on which this is typed, and what it shows. */
const typing = (typed: string) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write(typed);
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal: Terminal = guarded({ stdin, stdout: new PassThrough(), stderr, env: {} });
  return { terminal, stdin, errors: () => stderr.read() };
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
