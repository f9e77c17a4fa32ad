import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm } from '../../../ops/cli/questions.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';

/** Asks on a terminal on which this is typed, and then Ctrl-D, which ends the input. */
const asked = (typed: string): Promise<void> => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(typed);
  const stderr = { write: () => {} };
  return confirm({ stdin, stderr } as unknown as Terminal, {}, 'Deploy prod?');
};

test.each(['y\r', 'Y\n', 'yes\r', 'YES\r'])('%j confirms', async (typed) => {
  await asked(typed);
});

test.each(['', '\r', 'n\r', 'yess\r', 'may\r'])('%j does not confirm', async (typed) => {
  await expect(asked(typed)).rejects.toThrow(/^Nothing was changed\.$/);
});
