import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { charts } from '../../bench/charts.ts';

const folder = join(import.meta.dirname, '../../docs/charts');

test.each(Object.entries(charts))('%s shows the results of the benchmarks', (file, chart) => {
  expect(readFileSync(join(folder, file), 'utf8')).toBe(chart);
});
