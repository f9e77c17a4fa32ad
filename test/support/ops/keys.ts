import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { authorizerCacheSeconds, functionTimeout } from '../../../functions/shared/time-limits.ts';
import { now, opsStage } from './stage.ts';

export { now, onLocal, onProd } from './stage.ts';

/** A key as an operator has issued it an hour before. Its record may differ from this. */
export const shop = {
  keyHash: 'hash of shop',
  keyId: '1111111111111111',
  access: 'write',
  name: 'shop',
  createdAt: now - 3_600,
};

/** For how many seconds a revoked key may still work. */
const revocation = authorizerCacheSeconds + functionTimeout / 1_000;

/** Replaces what is random or a tuning in what a command prints. */
const masked = (shown: string): string =>
  shown
    .replaceAll(/(petstore_[a-z]+_)[0-9a-f]{64}/g, '$1KEY')
    .replaceAll(/\b(?!(\d)\1{15})[0-9a-f]{16}\b/g, 'NEW_ID')
    .replaceAll(` within ${revocation} seconds`, ' within REVOCATION seconds');

/** Returns a stage for the commands of keys, and what its table of keys holds. */
export const keysStage = () => {
  const stage = opsStage('keys', masked);
  const documents = DynamoDBDocument.from(stage.client, {
    // Numbers beyond those of JavaScript are told as text.
    unmarshallOptions: { wrapNumbers: (n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n) },
  });
  const table = () => ({ TableName: stage.tables.apiKeys });
  return Object.assign(stage, {
    put: (...records: object[]) =>
      Promise.all(records.map((Item) => documents.put({ ...table(), Item }))),
    remove: ({ keyHash }: typeof shop) => documents.delete({ ...table(), Key: { keyHash } }),
    /** Returns every record, by the time of its issue, without what is random. */
    records: async () => {
      const { Items = [] } = await documents.scan(table());
      return (Items as (typeof shop)[])
        .sort((a, b) => a.createdAt - b.createdAt)
        .map(({ keyHash, ...rest }) => JSON.parse(masked(JSON.stringify(rest))));
    },
  });
};
