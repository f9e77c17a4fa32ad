import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { blocksOf, textOf } from '../support/docs/markdown.ts';

test('the functions of docs/api.md keep every digit of a petId, and quantities that can be counted', () => {
  const [block = ''] = blocksOf(textOf('docs/api.md'), 'javascript');
  const { parse, stringify } = runInThisContext(
    `(() => {${block}; return { parse, stringify }; })()`,
  );
  const text = '[{"petId":9007199254740993,"quantity":7,"status":"available"}]';
  const entries = parse(text);
  expect(entries).toStrictEqual([{ petId: 9007199254740993n, quantity: 7, status: 'available' }]);
  expect(stringify(entries)).toBe(text);
});
