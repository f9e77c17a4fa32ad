import { PassThrough } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { showProgress } from '../../../ops/cli/progress.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';

jest.useFakeTimers();

const perSecond = 1_000;
const entries = 10_000;

interface Output {
  isTTY: boolean;
  env?: NodeJS.ProcessEnv;
}

/** Returns what is printed while `work` calls `add`. */
const printed = (
  { isTTY, env = {} }: Output,
  work: (add: (count?: number) => void) => void,
  fraction?: (count: number) => number | undefined,
): string => {
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  const progress = showProgress({ stderr, env } as unknown as Terminal, 'Wrote', fraction);
  work(progress.add);
  progress[Symbol.dispose]();
  return stderr.read() ?? '';
};

/** Adds 10,000 entries, in ten seconds. */
const steadily = (add: (count: number) => void): void => {
  const batch = 50;
  for (let count = 0; count < entries; count += batch) {
    jest.advanceTimersByTime((batch / perSecond) * 1_000);
    add(batch);
  }
};

const ofAll = (count: number) => count / entries;
const terminal = { isTTY: true };
const pipe = { isTTY: false };

test('on a terminal, progress is a bar with the rate and the time left, on one line', () => {
  const shown = printed(terminal, steadily, ofAll).split('\r');
  expect(shown[1]).toBe(
    '[--------------------] 1 %, Wrote 100 entries, 1,000/s, 10 s left\u001b[K',
  );
  expect(shown[50]).toBe(
    '[##########----------] 50 %, Wrote 5,000 entries, 1,000/s, 5 s left\u001b[K',
  );
});

test('on a terminal, a summary takes the place of the bar', () => {
  const shown = printed(terminal, steadily, ofAll).split('\r');
  expect(shown.at(-1)).toBe('\u001b[KWrote 10,000 entries, 1,000/s\n');
});

test('on a terminal, the bar is drawn ten times a second', () => {
  const bars = printed(terminal, steadily, ofAll).match(/\[[#-]+\]/g);
  expect(bars).toHaveLength(100);
});

const [half, whole] = ['Wrote 5,000 entries, 1,000/s', 'Wrote 10,000 entries, 1,000/s'];

test('in a pipe, progress is a plain line every five seconds', () => {
  const lines = [`50 %, ${half}, 5 s left`, `100 %, ${whole}, 0 s left`, whole, ''];
  expect(printed(pipe, steadily, ofAll).split('\n')).toEqual(lines);
});

test.each([
  ['a pipe', pipe],
  ['a dumb terminal', { isTTY: true, env: { TERM: 'dumb' } }],
])(
  'in %s, a line has neither percentage nor time left if the total is unknown',
  (_name, output) => {
    expect(printed(output, steadily).split('\n')).toEqual([half, whole, whole, '']);
  },
);

test('a long time left is in minutes', () => {
  const few = (count: number) => count / (200 * perSecond);
  expect(printed(pipe, steadily, few)).toContain('2 %, Wrote 5,000 entries, 1,000/s, 4 min left\n');
});

const none = () => {};
const one = (add: () => void) => {
  jest.advanceTimersByTime(1_000);
  add();
};

test.each([
  ['nothing in a pipe', 'no work', pipe, none, ''],
  ['a line on a terminal', 'no work', terminal, none, '\r\u001b[KWrote 0 entries, 0/s\n'],
  ['the singular', 'one entry', pipe, one, 'Wrote 1 entry, 1/s\n'],
])('progress prints %s about %s', (_what, _work, output, work, text) => {
  expect(printed(output, work)).toBe(text);
});
