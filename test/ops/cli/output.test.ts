import { PassThrough } from 'node:stream';
import { describe, expect, jest, test } from '@jest/globals';
import { shellQuoted } from '../../../ops/cli/command-line.ts';
import { showProgress } from '../../../ops/cli/progress.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';
import { textTable } from '../../../ops/cli/text-table.ts';

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

describe('progress', () => {
  test('on a terminal, progress is a bar on one line, drawn ten times a second, and then a sum', () => {
    const shown = printed(terminal, steadily, ofAll).split('\r');
    expect(shown[1]).toBe(
      '[--------------------] 1 %, Wrote 100 entries, 1,000/s, 10 s left\u001b[K',
    );
    expect(shown[50]).toBe(
      '[##########----------] 50 %, Wrote 5,000 entries, 1,000/s, 5 s left\u001b[K',
    );
    // For ten seconds, a hundred bars, between what is before the first and the sum.
    expect(shown).toHaveLength(102);
    expect(shown.at(-1)).toBe('\u001b[KWrote 10,000 entries, 1,000/s\n');
  });

  const [half, whole] = ['Wrote 5,000 entries, 1,000/s', 'Wrote 10,000 entries, 1,000/s'];

  test('in a pipe, progress is a plain line every five seconds', () => {
    const lines = [`50 %, ${half}, 5 s left`, `100 %, ${whole}, 0 s left`, whole, ''];
    expect(printed(pipe, steadily, ofAll).split('\n')).toEqual(lines);
  });

  test.each([
    { where: 'in a pipe', output: pipe },
    { where: 'on a dumb terminal', output: { isTTY: true, env: { TERM: 'dumb' } } },
  ])(
    '$where, a line has neither percentage nor time left if the total is unknown',
    ({ output }) => {
      expect(printed(output, steadily).split('\n')).toEqual([half, whole, whole, '']);
    },
  );

  test('a long time left is in minutes', () => {
    const few = (count: number) => count / (200 * perSecond);
    expect(printed(pipe, steadily, few)).toContain(
      '2 %, Wrote 5,000 entries, 1,000/s, 4 min left\n',
    );
  });

  test.each([
    { what: 'nothing in a pipe', output: pipe, sum: '' },
    { what: 'a line on a terminal', output: terminal, sum: '\r\u001b[KWrote 0 entries, 0/s\n' },
  ])('about no work, $what is printed', ({ output, sum }) => {
    expect(printed(output, () => {})).toBe(sum);
  });

  test('one entry is in the singular', () => {
    const afterASecond = (add: () => void) => {
      jest.advanceTimersByTime(1_000);
      add();
    };
    expect(printed(pipe, afterASecond)).toBe('Wrote 1 entry, 1/s\n');
  });
});

describe('a table', () => {
  const head = ['ID', 'NAME', 'END'];
  const table = (rows: string[][], width = 100) => textTable({ head, rows, width, flexible: 1 });

  test('columns are as wide as their widest cell, and lines end with their last letter', () => {
    const lines = table([
      ['1', 'shop, Berlin', '-'],
      ['4be1', 'Ann', 'never'],
    ]);
    expect(lines).toEqual([
      'ID    NAME          END',
      '1     shop, Berlin  -',
      '4be1  Ann           never',
    ]);
  });

  test('a table without rows is its head', () => {
    expect(table([])).toEqual(['ID  NAME  END']);
  });

  test('the flexible column is cut off where the table would be too wide', () => {
    expect(table([['1', 'shop, Berlin', '-']], 20)).toEqual([
      'ID  NAME         END',
      '1   shop, Berl…  -',
    ]);
  });

  test('the flexible column is not cut off where the table just fits', () => {
    expect(table([['1', 'shop, Berlin', '-']], 21)[1]).toBe('1   shop, Berlin  -');
  });

  test('the flexible column stays as wide as its head', () => {
    expect(table([['1', 'shop, Berlin', '-']], 3)).toEqual(['ID  NAME  END', '1   sho…  -']);
  });

  test('a character of several code points counts once, and is never cut in two', () => {
    const family = '👩‍👩‍👧';
    expect(table([['1', `${family}${family}${family}${family}${family}`, '-']], 13)).toEqual([
      'ID  NAME  END',
      `1   ${family}${family}${family}…  -`,
    ]);
  });

  test('no cell can break a line or control the terminal', () => {
    expect(table([['1', 'a\n\t\u001b[2K\u009b\u202e', '-']])[1]).toBe(
      '1   a\\u000a\\u0009\\u001b[2K\\u009b\\u202e  -',
    );
  });
});

test.each([
  ['4be1c0ff', '4be1c0ff'],
  ['./cdk.out', './cdk.out'],
  ['shop, Berlin', "'shop, Berlin'"],
  ["Ann's", "'Ann'\\''s'"],
  ['$(id)', "'$(id)'"],
  ['', "''"],
])('%j is quoted for a shell as %s', (text, quoted) => {
  expect(shellQuoted(text)).toBe(quoted);
});
