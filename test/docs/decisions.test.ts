import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { trackedFiles } from '../support/process/tracked-files.ts';

const folder = 'docs/decisions/';
const records = trackedFiles(/^docs\/decisions\//);

test('decision records are numbered from 1 on', () => {
  const numbers = records.map((file) =>
    Number(/^(\d{4})-[\w-]+\.md$/.exec(file.slice(folder.length))?.[1]),
  );
  expect(numbers).toEqual(records.map((_, index) => index + 1));
  expect(records).not.toEqual([]);
});

test.each(records)('%s says why, what, at which price, and what would change it', (file) => {
  const sections = readFileSync(file, 'utf8').match(/(?<=^## ).+$/gm);
  expect(sections).toEqual(['Context', 'Decision', 'Price', 'What would change our mind']);
});

test('docs/architecture.md links every decision record', () => {
  const architecture = readFileSync('docs/architecture.md', 'utf8');
  const isLinked = (file: string) => architecture.includes(`](${file.slice('docs/'.length)})`);
  expect(records.filter((file) => !isLinked(file))).toEqual([]);
});
