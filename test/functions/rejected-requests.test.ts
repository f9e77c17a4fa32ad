// Which requests the operations reject. What rejected-requests.txt has of updates:
//
//     # what the updates have
//     $ PATCH {"what":"differs from a valid update of pet 1"}
//     $$ its body
//     < its status and body
//     ~ the line of the log, without what every one has
//     - a call of DynamoDB
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Operation, type OperationId, operations } from '../../infra/service/operations.ts';
import { startDynamodb } from '../support/dynamodb/dynamodb.ts';
import { captureLog, requestLine } from '../support/functions/capture-log.ts';
import {
  contextWith,
  errorResult,
  eventOf,
  internalError,
  patchEvent,
  stream,
} from '../support/functions/functions.ts';
import { shownLine } from '../support/functions/shown.ts';
import { type Act, recorded, whole } from '../support/recorded.ts';

const dynamodb = await startDynamodb();
const { handler: update } = await import('../../functions/update-inventory.ts');
const log = captureLog();

beforeEach(() => {
  // A request that reaches DynamoDB has not been rejected, and fails.
  dynamodb.script(({ response }) => response.writeHead(400).end('{}'));
});

interface Differences {
  authorizer?: object | null;
  petId?: string | null;
  headers?: Record<string, string[]> | null;
  body?: string | null;
  base64?: boolean;
}

/** Returns the event of a valid update, but for these differences and this body. */
const eventWith = (differences: Differences, givenBody?: string): APIGatewayProxyEvent => {
  const valid = patchEvent('1', '{"quantity":7}');
  const { petId = '1', headers = valid.multiValueHeaders, base64 = false } = differences;
  const { authorizer = valid.requestContext.authorizer } = differences;
  const body = givenBody ?? (differences.body === undefined ? valid.body : differences.body);
  return {
    ...valid,
    requestContext: { ...valid.requestContext, authorizer },
    pathParameters: petId === null ? null : { petId },
    multiValueHeaders: headers,
    body: base64 ? btoa(String(body)) : body,
    isBase64Encoded: base64,
  } as APIGatewayProxyEvent;
};

/** Sends an update. Returns all that comes of it. */
const sent = async ({ text, body }: Act): Promise<string[]> => {
  const differences = JSON.parse(whole(text.slice('PATCH'.length)) || '{}');
  const event = eventWith(differences, body === undefined ? body : whole(body));
  log.length = 0;
  const result = (await update(event, contextWith(10_000))) as APIGatewayProxyResult;
  expect(result.headers).toStrictEqual({ 'Content-Type': 'application/json' });
  return [
    `< ${result.statusCode} ${result.body}`,
    ...log.flatMap(shownLine),
    ...dynamodb.received.splice(0).map(({ operation }) => `- ${operation}`),
  ];
};

recorded(join(import.meta.dirname, 'rejected-requests.txt'), () => ({ situations: {}, act: sent }));

/** Calls an operation with a key of this access, and with these headers. */
const callWith = async (
  { entryPoint, streams }: Operation,
  access: string,
  headers: Record<string, string[]> = {},
) => {
  const { handler } = await import(`../../functions/${entryPoint}.ts`);
  const event = eventOf({ headers });
  Object.assign(event.requestContext, { authorizer: { keyId: 'key-1', access } });
  if (!streams) {
    return handler(event, contextWith(10_000));
  }
  const { response, ended } = stream(handler, event, 300_000);
  await ended;
  return { ...response.metadata, body: response.text };
};

test.each(operations)('$operationId refuses a request with two keys', async (operation) => {
  // Even if the key that the authorizer has checked may only read.
  const ofSpellings = { Authorization: ['Bearer one'], authorization: ['Bearer two'] };
  const message = 'The request must have exactly one Authorization header.';
  expect(await callWith(operation, 'read', ofSpellings)).toStrictEqual(
    errorResult(400, 'bad_request', message),
  );
  expect(dynamodb.received).toStrictEqual([]);
  const refused = requestLine(operation.operationId, { status: 400, code: 'bad_request' });
  expect(log).toStrictEqual([refused]);
});

/** What comes of an allowed request without a petId or a body, whose calls DynamoDB rejects. */
const ifAllowed: Record<OperationId, object> = {
  updateInventory: errorResult(
    400,
    'unsupported_content_type',
    'Content-Type must be application/json, but is missing.',
  ),
  listInventory: internalError,
};

test.each(operations)('$operationId allows a key with the access $access', async (operation) => {
  const { access, operationId } = operation;
  const response = await callWith(operation, access, { Authorization: ['Bearer one'] });
  expect(response).toStrictEqual(ifAllowed[operationId]);
});

const writes: Operation[] = operations.filter(({ access }) => access === 'write');

test.each(writes)('$operationId refuses a key that may only read', async (operation) => {
  const refused = errorResult(403, 'read_only_key', 'This API key is read-only.');
  expect(await callWith(operation, 'read')).toStrictEqual(refused);
});
