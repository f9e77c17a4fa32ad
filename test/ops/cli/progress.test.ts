import { PassThrough } from 'node:stream';
import { afterEach, expect, jest, test } from '@jest/globals';
import { startProgress } from '../../../ops/cli/progress.ts';
import { guarded } from '../../../ops/cli/terminal.ts';

afterEach(() => void jest.useRealTimers());

/** Returns what standard error shows while 12,000 entries are written within twelve seconds. */
const shownOn = ({ isTTY, total }: { isTTY: boolean; total?: number }): string => {
  jest.useFakeTimers();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  {
    using progress = startProgress(guarded({ stdin, stdout, stderr, env: {} }), 'Wrote', total);
    for (let count = 0; count < 12_000; count += 50) {
      jest.advanceTimersByTime(50);
      progress.add(50);
    }
  }
  return stderr.read();
};

test('progress in a file is a line every five seconds and at the end', () => {
  expect(shownOn({ isTTY: false })).toBe('Wrote 5,000\nWrote 10,000\nWrote 12,000\n');
  expect(shownOn({ isTTY: false, total: 20_000 })).toBe(
    'Wrote 5,000 of 20,000\nWrote 10,000 of 20,000\nWrote 12,000 of 20,000\n',
  );
});

test('progress on a terminal is one line, drawn ten times a second and at the end', () => {
  const [start, ...drawn] = shownOn({ isTTY: true, total: 20_000 }).split('\r');
  expect({ start, times: drawn.length, first: drawn[0], last: drawn.at(-1) }).toStrictEqual({
    start: '',
    times: 12 * 10 + 1,
    first: 'Wrote 100 of 20,000',
    last: 'Wrote 12,000 of 20,000\n',
  });
});
