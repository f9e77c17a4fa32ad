import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { type FaultyRun, faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { everyListFault, testLists } from './lists.ts';
import { testOutage } from './outage.ts';
import { testRequests } from './requests.ts';

let run: FaultyRun;
beforeAll(async () => {
  run = await faultyRun(4);
});

const silent = 'DynamoDB was silent for 2000 ms.';

testRequests('quick', () => run, [
  ['TransientError', 'The response of DynamoDB cannot be read.', 'Its checksum is missing or another.'],
  ['TransientError', 'The response of DynamoDB cannot be read.', 'It is no object.'],
  ['TransientError', `DynamoDB sent no response: ${silent}`, silent],
  ['UnknownError', 'UnknownError'],
  ['AccessDeniedException', 'No'],
  ['ResourceNotFoundException', 'No table'],
]);

// Every kind on one page, in turn; all of them on all pages, and what takes its time, are in list.slow.ts.
const once = everyListFault(() => 1).filter(({ kind }, index) => !kinds[kind]?.silent && (index % 9) % 4 === 0);
const lasting = everyListFault(() => Number.POSITIVE_INFINITY).filter(
  ({ kind, page }) => page === 'the first page' && /reset before|JSON|empty|digits changed$|ahead$/.test(kind),
);

testLists([...once, ...lasting], async () => [run]);

testOutage(20, () => run);

test('docs/reliability.md lists what the SDK as it comes would not survive', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reliability.md'), 'utf8');
  const [, section = ''] = page.split('\n## What only our DynamoDB client survives\n');
  const [text = ''] = section.split('\n## ', 1);
  const listed = [...text.replaceAll('\n', ' ').matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name);
  const kept = Object.entries(kinds).flatMap(([name, { notOnStockSdk }]) => (notOnStockSdk ? [name] : []));
  expect(listed.toSorted()).toEqual(kept.toSorted());
});
