import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { dynamodbTime } from '../../../functions/dynamodb/clock.ts';
import { clientOf } from '../../support/dynamodb-clients.ts';
import { respond, type Script, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

const hour = 3_600_000;
const get = () => new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'x' } } });
const rejected = JSON.stringify({ __type: 'a#InvalidSignatureException', message: 'Signature not yet current' });

/** DynamoDB with a clock that is ahead by so many milliseconds: it allows five minutes. */
const clockAhead =
  (ahead: number): Script =>
  (response, received) => {
    const [, ...parts] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(String(received.headers['x-amz-date'])) ?? [];
    const [year, month, day, ...time] = parts;
    const now = Date.now() + ahead;
    const valid = Math.abs(Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`) - now) < 300_000;
    const headers = { date: new Date(now).toUTCString() };
    return (valid ? respond(200, '{}', headers) : respond(400, rejected, headers))(response, received);
  };

describe('the clock', () => {
  const dynamodb = new ScriptedDynamodb();
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await dynamodb.listen();
  });
  afterAll(() => dynamodb.close());
  beforeEach(() => {
    jest.restoreAllMocks();
  });

  test.each([hour, -hour, 0, 10 * hour])("is DynamoDB's after one rejected request: %d ms ahead", async (ahead) => {
    dynamodb.script(clockAhead(ahead));
    const client = await clientOf(endpoint);
    await client.send(get());
    await client.send(get());
    expect(dynamodb.received).toHaveLength(3);
    expect(Math.abs(dynamodbTime() - Date.now() - ahead)).toBeLessThan(2_000);
  });

  test('is not set by a response that is signed in time, or rejects something else', async () => {
    dynamodb.script(respond(400, rejected, { date: new Date(dynamodbTime() + 200_000).toUTCString() }));
    const before = dynamodbTime() - Date.now();
    await expect((await clientOf(endpoint)).send(get())).rejects.toThrow('Signature');
    dynamodb.script(respond(400, '{"__type":"x"}', { date: new Date(dynamodbTime() + hour).toUTCString() }));
    await expect((await clientOf(endpoint)).send(get())).rejects.toThrow('x');
    dynamodb.script((response) => {
      response.sendDate = false;
      response.writeHead(400).end(rejected);
    });
    await expect((await clientOf(endpoint)).send(get())).rejects.toThrow('Signature');
    expect(dynamodb.received).toHaveLength(1);
    expect(Math.abs(dynamodbTime() - Date.now() - before)).toBeLessThan(1_000);
  });

  test('is set by an instance that has used up its retries', async () => {
    const client = await clientOf(endpoint);
    dynamodb.script(respond(500, '{}'));
    // Each costs 14 of 500.
    for (let request = 0; request < 19; request++) {
      await client.send(get()).catch(() => {});
    }
    dynamodb.received.length = 0;
    await client.send(get()).catch(() => {});
    expect(dynamodb.received).toHaveLength(1);

    dynamodb.script(clockAhead(hour));
    await client.send(get());
    dynamodb.script(clockAhead(-hour));
    await client.send(get());
    expect(dynamodb.received).toHaveLength(2);
  });

  test('that is never right fails after as many attempts as any error', async () => {
    let ahead = 0;
    dynamodb.script((response, received) => {
      ahead += hour;
      return clockAhead(ahead)(response, received);
    });
    await expect((await clientOf(endpoint)).send(get())).rejects.toThrow('Signature');
    expect(dynamodb.received).toHaveLength(3);
  });
});
