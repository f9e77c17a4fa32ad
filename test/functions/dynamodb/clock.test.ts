import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { isRetryable } from '../../../functions/dynamodb/failures.ts';
import { dynamodbTime } from '../../../functions/dynamodb/signature.ts';
import {
  clientOf,
  clockAhead,
  getItem,
  respond,
  respondWithError,
  type Script,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';

const hour = 3_600_000;
/** Whole seconds, as a Date header has them. */
const now = 1_800_000_000_000;
const wrongTime = 'InvalidSignatureException';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
afterEach(() => void jest.restoreAllMocks());

const dynamodb = await startDynamodb();
const dynamodbAhead = (milliseconds: number) => clockAhead(milliseconds, respond(200, '{}'));
const send = async () => (await clientOf(dynamodb.endpoint)).send(getItem());

// The clock keeps what it has learned from test to test, as from request to request.
describe("an instance's clock", () => {
  test('follows that of DynamoDB after one rejected attempt', async () => {
    for (const ahead of [hour, -hour, 0, 330_000, 0, -300_000]) {
      dynamodb.script(dynamodbAhead(ahead));
      await send();
      expect(dynamodb.received).toHaveLength(2);
      expect(dynamodbTime()).toBe(now + ahead);
      await send();
      expect(dynamodb.received).toHaveLength(2 + 1);
    }
  });

  // DynamoDB judges by more than its Date header shows.
  test.each([270_000, -270_000])('is set if it is %i ms off and rejected', async (ahead) => {
    const before = dynamodbTime();
    const date = { Date: new Date(before + ahead).toUTCString() };
    dynamodb.script(respondWithError(400, wrongTime, date), respond(200, '{}'));
    await send();
    expect(dynamodb.received).toHaveLength(2);
    expect(dynamodbTime()).toBe(before + ahead);
  });

  test.each([
    { what: 'to a request that was signed in time', error: wrongTime, ahead: 240_000 },
    { what: 'that rejects something else', error: 'AccessDeniedException', ahead: hour },
    { what: 'without a date', error: wrongTime, ahead: undefined },
  ])('is not set by a response $what', async ({ error, ahead }) => {
    const before = dynamodbTime();
    const date = ahead === undefined ? {} : { Date: new Date(before + ahead).toUTCString() };
    dynamodb.script((call) => {
      call.response.sendDate = false;
      return respondWithError(400, error, date)(call);
    });
    await expect(send()).rejects.toMatchObject({ name: error });
    expect(dynamodb.received).toHaveLength(1);
    expect(dynamodbTime()).toBe(before);
  });

  test('is set even after the instance has used up its retry quota', async () => {
    const client = await clientOf(dynamodb.endpoint);
    const attemptsAt = async (script: Script): Promise<number> => {
      dynamodb.script(script);
      await client.send(getItem()).catch(() => {});
      return dynamodb.received.length;
    };
    const failing = respond(500, '{}');
    // A retry costs 14 of the quota of 500, and a request retries twice, so 18 requests use it up.
    for (let request = 0; request < 18; request++) {
      await attemptsAt(failing);
    }
    expect(await attemptsAt(failing)).toBe(1);
    expect(await attemptsAt(dynamodbAhead(hour))).toBe(2);
    expect(await attemptsAt(dynamodbAhead(-hour))).toBe(2);
    expect(dynamodbTime()).toBe(now - hour);
  });

  test('cannot follow one that changes at each attempt: the third fails, with a 503', async () => {
    dynamodb.script(dynamodbAhead(hour), dynamodbAhead(2 * hour), dynamodbAhead(3 * hour));
    const error = await send().catch((thrown) => thrown);
    expect(error).toMatchObject({ name: wrongTime });
    expect(dynamodb.received).toHaveLength(3);
    // Retryable errors are those for which a client gets a 503.
    expect(isRetryable(error)).toBe(true);
  });
});
