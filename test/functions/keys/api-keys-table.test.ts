import { expect, test } from '@jest/globals';
import { clockAhead, respond, startDynamodb } from '../../support/dynamodb.ts';
import { setEnvironment } from '../../support/functions.ts';

const dynamodb = await startDynamodb();
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint, API_KEYS_TABLE_NAME: 'keys' });
const { findActiveKeyId } = await import('../../../functions/keys/api-keys-table.ts');

// With the stock SDK, keys would expire by the machine's clock, as docs/reliability.md says.
test("keys expire by DynamoDB's clock", async () => {
  const inHalfAnHour = String(Math.floor(Date.now() / 1000) + 1_800);
  const Item = { keyId: { S: 'key-1' }, expiresAt: { N: inHalfAnHour } };
  const find = (hoursAhead: number) => {
    dynamodb.script(clockAhead(hoursAhead * 3_600_000, respond(200, JSON.stringify({ Item }))));
    return findActiveKeyId('hash', AbortSignal.timeout(10_000));
  };
  expect([await find(1), await find(-1), await find(0)]).toEqual([undefined, 'key-1', 'key-1']);
});
