import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Dynamodb, failScan, scanEntries, sendScan, startDynamodb } from '../../support/dynamodb.ts';
import { setEnvironment } from '../../support/functions.ts';
import { checkList } from '../../support/synthetic-table.ts';

const dynamodb = await startDynamodb();
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint, INVENTORY_TABLE_NAME: 'inventory' });
const { listInventory } = await import('../../../functions/inventory/inventory-list.ts');
afterAll(() => dynamodb.close());

const item = { petId: { N: '77' }, quantity: { N: '1' }, status: { S: 'sold' } };
const page = (Items: object[], LastEvaluatedKey?: object) => Buffer.from(JSON.stringify({ Items, LastEvaluatedKey }));
const more = page([item], { petId: { N: '77' } });
const one = [
  { text: '[{"petId":77,"quantity":1,"status":"sold"}', entries: 1 },
  { text: ']', entries: 0 },
];

describe('the pages of a list', () => {
  const pages = (signal = new AbortController().signal) => Array.fromAsync(listInventory(signal));
  const pagesOf = (scan: Dynamodb['scan']) => {
    dynamodb.scan = scan;
    return pages();
  };
  beforeEach(() => {
    dynamodb.scans = [];
  });

  test.each([0, 1, 5_000, 5_001, 123_456])('of %d entries are complete, exact and counted', async (entries) => {
    const read = await pagesOf(scanEntries(entries));
    checkList(read.map(({ text }) => text).join(''), entries);
    expect(read.reduce((sum, { entries: counted }) => sum + counted, 0)).toBe(entries);
  });

  test.each([
    [5_000, 0],
    [20_000, 1],
    [20_004, 2],
  ])('of %d entries are read consistently, and then in four segments of %d', async (entries, pagesOfSegment) => {
    await pagesOf(scanEntries(entries));
    const [whole, ...others] = dynamodb.scans.map(({ ExclusiveStartKey, ...input }) => input);
    const input = { TableName: 'inventory', ConsistentRead: true, Limit: 5_000 };
    expect(whole).toEqual(input);
    expect(others.toSorted((a, b) => Number(a.Segment) - Number(b.Segment))).toEqual(
      [0, 1, 2, 3].flatMap((Segment) => Array(pagesOfSegment).fill({ ...input, Segment, TotalSegments: 4 })),
    );
  });

  test('may have no entries', async () => {
    const read = await pagesOf(({ Segment }, response) =>
      sendScan(response, Segment === undefined ? more : page(Segment === 2 ? [item] : [])),
    );
    expect(read).toEqual(one);
  });

  test('may be large', async () => {
    for (const length of [300_000, 0, 450_000]) {
      const large = page([{ ...item, note: { S: 'é'.repeat(length) } }]);
      expect(await pagesOf((_input, response) => sendScan(response, large))).toEqual(one);
    }
  });

  test('are given up after three attempts if it is the first, and it is said why', async () => {
    const unreadable = pagesOf((_input, response) => response.writeHead(200, { 'x-amz-crc32': '1' }).end(more));
    await expect(unreadable).rejects.toMatchObject({
      name: 'TransientError',
      message: 'A page of DynamoDB cannot be read.',
      cause: new TypeError('Its checksum is missing or another.'),
    });
    expect(dynamodb.scans).toHaveLength(3);
  });

  test('are tried more often later, whatever fails, because a list that breaks off is lost', async () => {
    const troubles: ((response: ServerResponse) => unknown)[] = [
      (response) => failScan(response, 'ProvisionedThroughputExceededException'),
      (response) => response.writeHead(503).end(),
      (response) => response.writeHead(200).end('{"Items":[]}'),
      (response) => response.writeHead(200, { 'x-amz-crc32': '1' }).end('{"Items":[]}'),
      (response) => response.writeHead(200).write('{"Items":', () => response.destroy()),
    ];
    const usual = scanEntries(20_000);
    const read = await pagesOf((input, response) => {
      const fail = input.Segment === 3 && troubles.shift();
      return fail ? void fail(response) : usual(input, response);
    });
    checkList(read.map(({ text }) => text).join(''), 20_000);
    expect(dynamodb.scans.filter(({ Segment }) => Segment === 3)).toHaveLength(6);
  });

  test('neither have nor leave out an entry that breaks the contract', async () => {
    const invalid = page([item, { ...item, petId: { N: '78' }, quantity: { N: '-3' }, status: undefined }]);
    await expect(pagesOf((_input, response) => sendScan(response, invalid))).rejects.toMatchObject({
      name: 'InvalidEntryError',
      message:
        'The list cannot have the entry with petId 78: its quantity is -3 and must be an integer from 0 to ' +
        '9007199254740991; its status is missing and must be one of available, pending, sold.',
    });
  });

  test('are not read once the list is given up', async () => {
    await expect(pages(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(dynamodb.scans).toEqual([]);
  });
});
