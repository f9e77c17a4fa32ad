import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { dynamodbTime } from '../../../functions/dynamodb/clock.ts';
import { isRetryable } from '../../../functions/dynamodb/failures.ts';
import {
  clientOf,
  clockAhead,
  getItem,
  respond,
  type Script,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';

const hour = 3_600_000;
/** A Date header has whole seconds. */
const now = 1_800_000_000_000;
const rejected = JSON.stringify({
  __type: 'a#InvalidSignatureException',
  message: 'Signature not yet current',
});

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
afterEach(() => void jest.restoreAllMocks());

const dynamodb = await startDynamodb();
const dynamodbAhead = (milliseconds: number) => clockAhead(milliseconds, respond(200, '{}'));
const send = async () => (await clientOf(dynamodb.endpoint)).send(getItem());
const offset = () => dynamodbTime() - now;

describe('the clock', () => {
  test("follows DynamoDB's after one rejected request", async () => {
    for (const ahead of [hour, -hour, 0, 330_000]) {
      dynamodb.script(dynamodbAhead(ahead));
      await send();
      expect(dynamodb.received).toHaveLength(2);
      await send();
      expect(dynamodb.received).toHaveLength(3);
      expect(offset()).toBe(ahead);
    }
  });

  test.each([
    { what: 'to a request that was signed in time', ahead: 200_000, body: rejected },
    { what: 'that rejects something else', ahead: hour, body: '{"__type":"a#Signature"}' },
    { what: 'without a date', ahead: undefined, body: rejected },
  ])('is not set by a response $what', async ({ ahead, body }) => {
    const before = offset();
    dynamodb.script(({ response }) => {
      response.sendDate = false;
      const date =
        ahead === undefined ? {} : { date: new Date(dynamodbTime() + ahead).toUTCString() };
      response.writeHead(400, date).end(body);
    });
    await expect(send()).rejects.toThrow('Signature');
    expect(dynamodb.received).toHaveLength(1);
    expect(offset()).toBe(before);
  });

  test('is set even by an instance that has used up its retry quota', async () => {
    const client = await clientOf(dynamodb.endpoint);
    const attempts = async (script: Script): Promise<number> => {
      dynamodb.script(script);
      await client.send(getItem()).catch(() => {});
      return dynamodb.received.length;
    };
    // Each retry costs 14 of the quota of 500, so that 35 retries use it up.
    for (let request = 0; request < 19; request++) {
      await attempts(respond(500, '{}'));
    }
    expect(await attempts(respond(500, '{}'))).toBe(1);
    expect([await attempts(dynamodbAhead(hour)), await attempts(dynamodbAhead(-hour))]).toEqual([
      2, 2,
    ]);
    expect(offset()).toBe(-hour);
  });

  test('fails a request after the usual three attempts if it is never right', async () => {
    let ahead = 0;
    dynamodb.script((call) => {
      ahead += hour;
      return dynamodbAhead(ahead)(call);
    });
    const error = await send().catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'InvalidSignatureException' });
    // A client gets a 503.
    expect([isRetryable(error), dynamodb.received.length]).toEqual([true, 3]);
  });
});
