import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { stringify } from 'yaml';
import { project } from '../process/tools.ts';

/**
 * Compares a value with a file of test/infra/templates/. After a change that is meant,
 * `UPDATE_TEMPLATES=1 npm test -- FILE_OF_THE_TEST` writes it anew: read its diff.
 */
export const expectGolden = (name: string, value: unknown): void => {
  const file = join(project, 'test/infra/templates', name);
  const text = stringify(value, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
  });
  if (process.env.UPDATE_TEMPLATES) {
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
};
