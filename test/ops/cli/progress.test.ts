import { afterEach, expect, jest, test } from '@jest/globals';
import { startProgress } from '../../../ops/cli/progress.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';

afterEach(() => void jest.useRealTimers());

test.each([
  { total: undefined, shows: 'Wrote 5,000\nWrote 10,000\nWrote 12,000\n' },
  {
    total: 12_000,
    shows: 'Wrote 5,000 of 12,000\nWrote 10,000 of 12,000\nWrote 12,000 of 12,000\n',
  },
])('progress is a line every five seconds and at the end: of $total', ({ total, shows }) => {
  jest.useFakeTimers();
  let shown = '';
  const stderr = { write: (text: string) => (shown += text) };
  {
    using progress = startProgress({ stderr } as Terminal, 'Wrote', total);
    for (let count = 0; count < 12_000; count += 50) {
      jest.advanceTimersByTime(50);
      progress.add(50);
    }
  }
  expect(shown).toBe(shows);
});
