import { expect, test } from '@jest/globals';
import { textTable } from '../../../ops/cli/text-table.ts';

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
