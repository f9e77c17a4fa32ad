import { PassThrough } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { confirm, showProgress, type Terminal } from '../../../ops/cli/terminal.ts';

jest.useFakeTimers();

/** Returns the progress that is printed while 10,000 entries are written at 1,000 per second. */
const printed = (isTTY: boolean, total = 10_000, env = {}): string => {
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  const progress = showProgress(
    { stderr, env } as unknown as Terminal,
    'Wrote',
    (count) => count / total,
  );
  for (let count = 50; count <= 10_000; count += 50) {
    jest.advanceTimersByTime(50);
    progress.add(50);
  }
  progress[Symbol.dispose]();
  return stderr.read();
};

test('progress on a terminal is a bar with the rate and the time left, on one line that the summary replaces', () => {
  const shown = printed(true).split('\r');
  expect([shown.length, shown[1], shown[50], shown.at(-1)]).toEqual([
    102,
    '[--------------------] 1 %, Wrote 100 entries, 1,000/s, 10 s left\u001b[K',
    '[##########----------] 50 %, Wrote 5,000 entries, 1,000/s, 5 s left\u001b[K',
    '\u001b[KWrote 10,000 entries, 1,000/s\n',
  ]);
});

test('progress in a pipe or on a dumb terminal is a plain line every five seconds, with neither percentage nor time left if the total is unknown', () => {
  const [half, whole] = ['Wrote 5,000 entries, 1,000/s', 'Wrote 10,000 entries, 1,000/s'];
  expect(printed(false)).toBe(`50 %, ${half}, 5 s left\n100 %, ${whole}, 0 s left\n${whole}\n`);
  expect(printed(false, NaN)).toBe(`${half}\n${whole}\n${whole}\n`);
  expect(printed(true, NaN, { TERM: 'dumb' })).toBe(`${half}\n${whole}\n${whole}\n`);
});

test('a question leaves its streams alone once answered, and is rejected when its signal aborts or its terminal closes', async () => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const terminal = { stdin: Object.assign(stdin, { isTTY: true }), stderr } as unknown as Terminal;
  stdin.write('y\r');
  await confirm(terminal, 'Deploy prod?', false);
  expect(stderr.read()).toMatch(/Deploy prod\? \[y\/N\] .*y\r\n$/s);
  stderr.emit('resize');
  stdin.write('x');
  expect(stderr.read()).toBe(null);

  const interruption = new AbortController();
  const asking = confirm(terminal, 'Deploy prod?', false, interruption.signal);
  interruption.abort();
  await expect(asking).rejects.toMatchObject({ code: 'interrupted' });
  stdin.destroy();
  await expect(confirm(terminal, 'Deploy prod?')).rejects.toMatchObject({ code: 'not_confirmed' });
});
