import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { kinds } from './kinds.ts';

test('docs/reliability.md lists what the SDK as it comes would not survive', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reliability.md'), 'utf8');
  const [, section = ''] = page.split('\n## What only our DynamoDB client survives\n');
  const [text = ''] = section.split('\n## ', 1);
  const listed = [...text.replaceAll('\n', ' ').matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name);
  const kept = Object.entries(kinds).flatMap(([name, { notOnStockSdk }]) => (notOnStockSdk ? [name] : []));
  expect(listed.toSorted()).toEqual(kept.toSorted());
});
