import { PassThrough } from 'node:stream';
import { afterEach, expect, jest, test } from '@jest/globals';
import { startProgress } from '../../../ops/cli/progress.ts';
import { guarded } from '../../../ops/cli/terminal.ts';

afterEach(() => void jest.useRealTimers());

/** Returns what standard error shows while 12,000 entries are written within twelve seconds. */
const shown = (total?: number): string => {
  jest.useFakeTimers();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = new PassThrough({ encoding: 'utf8' });
  {
    using progress = startProgress(guarded({ stdin, stdout, stderr, env: {} }), 'Wrote', total);
    for (let count = 0; count < 12_000; count += 50) {
      jest.advanceTimersByTime(50);
      progress.add(50);
    }
  }
  return stderr.read();
};

test('progress is a line every five seconds and at the end', () => {
  expect(shown()).toBe('Wrote 5,000\nWrote 10,000\nWrote 12,000\n');
  expect(shown(20_000)).toBe(
    'Wrote 5,000 of 20,000\nWrote 10,000 of 20,000\nWrote 12,000 of 20,000\n',
  );
});
