import { expect, test } from '@jest/globals';
import { operations } from '../../infra/service/operations.ts';
import { textOf } from '../support/docs/markdown.ts';

test('README.md and docs/api.md name each operation with its method and path', () => {
  const rowsOf = (page: string, base: string) =>
    operations.filter(({ operationId, method, path }) => {
      const row = new RegExp(`^\\| ${operationId}.* \\| \`${method} ${base}([^\`]*)\``, 'm');
      return row.exec(textOf(page))?.[1] !== path;
    });
  expect(rowsOf('README.md', '/v1')).toEqual([]);
  expect(rowsOf('docs/api.md', '')).toEqual([]);
});
