import { expect, test } from '@jest/globals';
import { formatOfFile } from '../../../../ops/inventory/files/formats.ts';

test.each([
  ['pets.csv', 'csv'],
  ['/tmp/pets.json', 'json'],
  ['pets.ndjson', 'ndjson'],
  ['pets.jsonl', 'ndjson'],
  ['PETS.JSON', 'json'],
  ['pets.json.csv', 'csv'],
  ['pets.txt', undefined],
  ['pets', undefined],
  ['.json', undefined],
  ['json/pets', undefined],
  ['-', undefined],
])('the ending of %s stands for %s', (path, format) => {
  expect(formatOfFile(path)).toBe(format);
});
