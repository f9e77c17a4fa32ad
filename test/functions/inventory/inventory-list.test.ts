import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { listInventory } from '../../../functions/inventory/inventory-list.ts';
import { type Dynamodb, sendScan, startDynamodb } from '../../support/dynamodb.ts';

const item = { petId: { N: '77' }, quantity: { N: '1' }, status: { S: 'sold' } };
const entry = '{"petId":77,"quantity":1,"status":"sold"}';
const page = (Items: object[], LastEvaluatedKey?: object) => Buffer.from(JSON.stringify({ Items, LastEvaluatedKey }));
const more = page([item], { petId: { N: '77' } });

describe('the pages of a list', () => {
  let dynamodb: Dynamodb;
  let pages: (
    signal?: AbortSignal,
  ) => Promise<Awaited<ReturnType<ReturnType<typeof listInventory>['next']>>['value'][]>;

  beforeAll(async () => {
    dynamodb = await startDynamodb();
    Object.assign(process.env, {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
      INVENTORY_TABLE_NAME: 'inventory',
    });
    const inventoryList = await import('../../../functions/inventory/inventory-list.ts');
    pages = (signal = new AbortController().signal) => Array.fromAsync(inventoryList.listInventory(signal));
  });
  afterAll(() => dynamodb.close());
  beforeEach(() => {
    dynamodb.scans = [];
  });

  test('may have no entries', async () => {
    dynamodb.scan = ({ Segment }, response) =>
      sendScan(response, Segment === undefined ? more : page(Segment === 2 ? [item] : []));
    expect(await pages()).toEqual([
      { text: `[${entry}`, entries: 1 },
      { text: ']', entries: 0 },
    ]);
  });

  test('may be large', async () => {
    const notes = [600_000, 0, 900_000].map((length) => page([{ ...item, note: { S: 'é'.repeat(length / 2) } }]));
    for (const large of notes) {
      dynamodb.scan = (_input, response) => sendScan(response, large);
      expect(await pages()).toEqual([
        { text: `[${entry}`, entries: 1 },
        { text: ']', entries: 0 },
      ]);
    }
  });

  test('are given up after three attempts if it is the first, and it is said why', async () => {
    dynamodb.scan = (_input, response) => response.writeHead(200, { 'x-amz-crc32': '1' }).end(more);
    await expect(pages()).rejects.toMatchObject({
      name: 'TransientError',
      message: 'A page of DynamoDB cannot be read.',
      cause: new TypeError('Its checksum is missing or another.'),
    });
    expect(dynamodb.scans).toHaveLength(3);
  });

  test('are tried more often later, because a list that breaks off is lost', async () => {
    dynamodb.scan = ({ Segment }, response) => {
      const attempts = dynamodb.scans.filter((scan) => scan.Segment === 3).length;
      return Segment === 3 && attempts < 6
        ? void response.writeHead(503).end()
        : sendScan(response, Segment === undefined ? more : page([]));
    };
    expect(await pages()).toEqual([{ text: '[]', entries: 0 }]);
    expect(dynamodb.scans.filter(({ Segment }) => Segment === 3)).toHaveLength(6);
  });

  test('are not read once the list is given up', async () => {
    dynamodb.scan = (_input, response) => sendScan(response, more);
    await expect(pages(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(dynamodb.scans).toEqual([]);
  });
});
