// What the authorizer answers, in authorizer.txt:
//
//     # what the exchange shows
//     > stored {"what":"the table has of the key, beside what an operator issues"}
//     > error NameOfTheErrorThatDynamoDBSends
//     $ TOKEN a token; KEY is one of this stage
//     < the effect of its policy, which is for the whole stage, and the context
//     ! the error with which the call fails
//     ~ the line of the log, without what every one has, and what of it is counted
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { createApiKey, isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import {
  respond,
  respondWithError,
  type Script,
  startDynamodb,
} from '../support/dynamodb/dynamodb.ts';
import { captureLog, errorFields, metrics } from '../support/functions/capture-log.ts';
import { contextWith } from '../support/functions/functions.ts';
import { shownLine } from '../support/functions/shown.ts';
import { recorded } from '../support/recorded.ts';

const dynamodb = await startDynamodb();
const { handler } = await import('../../functions/authorizer.ts');

// Issued keys must stay valid, so the format and the hash of a key must never change.
const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f101112131415161718191a1b60d1f6bc';
const keyHash = '03642852efcb39f8034681f12a4094c93d505ab7980c7cc61336e5cdc747612e';
const now = 1_800_000_000;
const stage = 'arn:aws:execute-api:eu-west-1:123456789012:api/staging/';

const log = captureLog();

/** The attributes of a key as an operator issues it. */
const issued = {
  keyHash: { S: keyHash },
  keyId: { S: 'key-1' },
  access: { S: 'write' },
  name: { S: 'test' },
  createdAt: { N: String(now - 1) },
};

/** Returns a script of a table that has this key, or none. */
const stored = (attributes: object | null): Script =>
  respond(200, JSON.stringify(attributes === null ? {} : { Item: { ...issued, ...attributes } }));

/** Authorizes a token while DynamoDB follows a script. */
const authorize = (authorizationToken: string, script: Script) => {
  dynamodb.script(script);
  jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
  // The line feed is what the ARN would hold if API Gateway decoded a %0A.
  const methodArn = `${stage}PATCH/v1/inventory/1\n2`;
  return handler({ type: 'TOKEN', authorizationToken, methodArn }, contextWith(10_000));
};

/** Returns the effect and the context of a policy, all else of which is the same in each. */
const shownPolicy = (result: Awaited<ReturnType<typeof handler>>): string => {
  const [{ Effect } = {}] = result.policyDocument.Statement;
  expect(result).toStrictEqual({
    principalId: result.context?.keyId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect, Action: 'execute-api:Invoke', Resource: `${stage}*` }],
    },
    context: result.context,
  });
  return `< ${Effect} ${JSON.stringify(result.context)}`;
};

const answerTo = async (token: string, script: Script): Promise<string[]> => {
  log.length = 0;
  const answer = await authorize(token, script).then(
    shownPolicy,
    ({ name, message }) => `! ${name}: ${message}`,
  );
  return [answer, ...log.flatMap(shownLine)];
};

recorded(join(import.meta.dirname, 'authorizer.txt'), () => {
  let script = stored({});
  return {
    situations: {
      stored: (json) => {
        script = stored(JSON.parse(json));
      },
      error: (name) => {
        script = respondWithError(400, name);
      },
    },
    act: ({ text }) => answerTo(text.slice('TOKEN '.length).replace('KEY', apiKey), script),
  };
});

test('looks for the hash of a key, in what is written last', async () => {
  await authorize(`Bearer ${apiKey}`, stored({}));
  const asked = { TableName: 'keys', Key: { keyHash: { S: keyHash } }, ConsistentRead: true };
  expect(dynamodb.received.map(({ operation, body }) => [operation, body])).toStrictEqual([
    ['GetItem', asked],
  ]);
});

test('fails if it cannot check a key in time, and logs why', async () => {
  const deadline = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  // The time is over once the request is here, so that it cannot arrive during another test.
  const failed = authorize(`Bearer ${apiKey}`, () => deadline.abort());
  await expect(failed).rejects.toMatchObject({ name: 'AbortError' });
  // A second before Lambda would end the function.
  expect(timeout).toHaveBeenCalledWith(9_000);
  const cause = errorFields('AbortError', expect.any(String));
  const error = errorFields('AbortError', expect.any(String), cause);
  expect(log).toMatchObject([
    { level: 'ERROR', operation: 'authorize', ...error, ...metrics({}, { Faults: 1 }) },
  ]);
});

test('each API key is unique, and not well-formed with any one character changed', () => {
  const keys = Array.from({ length: 100 }, () => createApiKey('staging'));
  expect(new Set(keys).size).toBe(100);
  expect(keys.filter((key) => isWellFormedApiKey(key, 'staging'))).toStrictEqual(keys);

  const [key = ''] = keys;
  const typos = [...key].map(
    (character, i) => key.slice(0, i) + (character === 'a' ? 'b' : 'a') + key.slice(i + 1),
  );
  expect(typos.filter((typo) => isWellFormedApiKey(typo, 'staging'))).toStrictEqual([]);
});
