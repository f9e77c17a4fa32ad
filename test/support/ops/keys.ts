import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { now, opsStage } from './stage.ts';

export { onProd } from './stage.ts';

/** A key as an operator has issued it an hour before. Its record may differ from this. */
export const shop = {
  keyHash: 'hash of shop',
  keyId: '1111111111111111',
  access: 'write',
  name: 'shop',
  createdAt: now - 3_600,
};

/** Returns a stage for the commands of keys, and what its table of keys holds. */
export const keysStage = () => {
  const stage = opsStage('keys');
  const documents = DynamoDBDocument.from(stage.client);
  const table = () => ({ TableName: stage.tables.apiKeys });
  return Object.assign(stage, {
    put: (...records: object[]) =>
      Promise.all(records.map((Item) => documents.put({ ...table(), Item }))),
    remove: ({ keyHash }: typeof shop) => documents.delete({ ...table(), Key: { keyHash } }),
    /** Returns every record, sorted. */
    records: async () => {
      const { Items = [] } = await documents.scan(table());
      return Items.map(lineOf).sort();
    },
  });
};

/** Returns a record as JSON, sorted, without its hash. */
const lineOf = ({ keyHash, ...record }: Record<string, unknown>): string => {
  const sorted = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted)).replaceAll(/(?<=At":)\d+/g, fromNow);
};

const fromNow = (time: string): string => {
  const later = Number(time) - now;
  return later === 0 ? 'now' : `now${later > 0 ? '+' : ''}${later}`;
};
