import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Passing } from '../../support/dynamodb-proxy.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { answer, answers } from './answers.ts';
import type { FaultyRun } from './faulty-run.ts';
import { type Kind, kinds } from './kinds.ts';

/** Milliseconds for all cases together, most of which wait, on a busy machine. */
const longest = 600_000;

/** Which pages it happens to. Until one page of one segment is here, nothing has been sent to the client. */
const pages = {
  'the first page': ({ Segment }: Passing['body']) => Segment === undefined,
  'the first page of a segment': ({ Segment, ExclusiveStartKey }: Passing['body']) =>
    Segment !== undefined && ExclusiveStartKey === undefined,
  'a later page': ({ ExclusiveStartKey }: Passing['body']) => ExclusiveStartKey !== undefined,
};

type Page = keyof typeof pages;

const attemptsOf = (page: Page) => (page === 'the first page' ? 3 : 8);

interface ListFault {
  kind: string;
  page: Page;
  times: number;
}

export const everyListFault = (timesOn: (page: Page) => number): ListFault[] =>
  Object.keys(kinds).flatMap((kind) =>
    (Object.keys(pages) as Page[]).map((page) => ({ kind, page, times: timesOn(page) })),
  );

/** What a client sees of a list: how often it has each entry; an Error response; or one that breaks off. */
const list = async (run: FaultyRun): Promise<unknown> => {
  try {
    const found = await answer(() => run.send({ path: '/inventory' }));
    const petIds = () => (found.body as { petId: bigint }[]).map(({ petId }) => String(petId));
    return found.status === 200 ? countsOf(petIds()) : found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') {
      return 'cut';
    }
    throw error;
  }
};

const countsOf = (petIds: string[]) => {
  const counts: Record<string, number> = {};
  for (const petId of petIds) {
    counts[petId] = (counts[petId] ?? 0) + 1;
  }
  return counts;
};

/** What a client may see of a list that this happens to. */
const possible = ({ kind, page, times }: ListFault, all: object): unknown[] => {
  const { once, forEver } = kinds[kind] as Kind;
  const status = times < attemptsOf(page) ? once : forEver;
  if (status === 200) {
    return [all];
  }
  if (page === 'a later page') {
    return ['cut'];
  }
  // Where no segment ever has its first page, it is a matter of chance whether attempts or time run out first.
  const isChance = page === 'the first page of a segment' && times === Number.POSITIVE_INFINITY && forEver > 500;
  return isChance ? [answers[status], answers[504]] : [answers[status]];
};

/** Tests what comes of each fault, on services that have pages of 4 entries: one fault at a time on each. */
export const testLists = (faults: ListFault[], getRuns: () => Promise<FaultyRun[]>) => {
  const outcomes = new Map<ListFault, { during: unknown; after: unknown }>();
  let runs: FaultyRun[];
  let all: object;

  const outcomeOf = async (run: FaultyRun, { kind, page, times }: ListFault) => {
    const { what } = kinds[kind] as Kind;
    const end = run.inject({ on: 'Scan', where: pages[page], what, times });
    const during = await list(run);
    end();
    return { during, after: await list(run) };
  };

  describe('a list', () => {
    beforeAll(async () => {
      runs = await getRuns();
      const more = Array.from({ length: 25 }, (_, index) => ({
        PutRequest: { Item: { petId: { N: String(100 + index) }, quantity: { N: '1' }, status: { S: 'sold' } } },
      }));
      for (const run of runs) {
        const { client, inventory } = run.tables;
        await client.send(new BatchWriteItemCommand({ RequestItems: { [inventory]: more } }));
        const { Items = [] } = await client.send(new ScanCommand({ TableName: inventory }));
        all = countsOf(Items.map(({ petId }) => String(petId?.N)));
        expect(Items.length).toBeGreaterThan(31);
        expect(await list(run)).toEqual(all);
        run.noteInstances();
      }
      // First what wears off, because what lasts uses up the retries that the SDK allows an instance.
      for (const lasts of [false, true]) {
        const free = [...runs];
        const ofThese = faults.filter(({ times }) => (times === Number.POSITIVE_INFINITY) === lasts);
        await inParallel(ofThese, runs.length, async (fault) => {
          const run = free.pop() as FaultyRun;
          outcomes.set(fault, await outcomeOf(run, fault));
          free.push(run);
        });
      }
    }, longest);

    test.each(faults)('of which $page has $kind, $times ×', (fault) => {
      const { during, after } = outcomes.get(fault) ?? {};
      expect(after).toEqual(all);
      expect(possible(fault, all)).toContainEqual(during);
    });

    test('the log says why a page cannot be read', () => {
      const log = runs.map((run) => run.log()).join('\n');
      const lines = log.split('\n').filter((line) => line.includes('"level":"ERROR"'));
      const cause = expect.objectContaining({ errorMessage: 'Its checksum is missing or another.' });
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ errorMessage: 'A page of DynamoDB cannot be read.', cause }),
      );
    });

    test('no instance has ended over it', () => {
      for (const run of runs) {
        run.expectSameInstances();
      }
    });
  });
};
