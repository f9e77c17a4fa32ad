import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dimensionsOf } from '../../../functions/observability/metrics.ts';
import { trackedFiles } from '../../support/process/tracked-files.ts';

test('a function counts each of the counts', () => {
  const sources = trackedFiles(/^functions\/.*\.ts$/)
    .filter((file) => !file.endsWith('/metrics.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isCounted = (name: string) => new RegExp(`\\b${name}: `).test(sources);
  expect(Object.keys(dimensionsOf).filter((name) => !isCounted(name))).toStrictEqual([]);
});
