import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { operations } from '../../../infra/service/operations.ts';
import { startDynamodb } from '../../support/dynamodb/dynamodb.ts';
import { captureLog, requestLine } from '../../support/functions/capture-log.ts';
import { contextWith, errorResult, eventOf, stream } from '../../support/functions/functions.ts';

const dynamodb = await startDynamodb();
const log = captureLog();

/** Calls the function of an operation with a request that has nothing but what the authorizer says. */
const call = async (entryPoint: string, authorizer: object) => {
  const { handler } = await import(`../../../functions/${entryPoint}.ts`);
  const event = eventOf();
  Object.assign(event.requestContext, { authorizer });
  // A request that reaches DynamoDB is not refused, and fails.
  dynamodb.script(({ response }) => response.writeHead(400).end('{}'));
  if (entryPoint === 'list-inventory') {
    const { response, ended } = stream(handler, event, 300_000);
    await ended;
    return { ...response.metadata, body: response.text };
  }
  return handler(event as APIGatewayProxyEvent, contextWith(10_000));
};

const refused = errorResult(403, 'read_only_key', 'This API key may only read.');
const unknownAccess = ['admin', '', 'constructor', 'Write'];

test.each(operations)('$operationId allows a key what it says: $access', async (operation) => {
  const { access: needed, entryPoint } = operation;
  const answerTo = async (access: object) =>
    (await call(entryPoint, { keyId: 'key-1', ...access })).statusCode;
  const statusOf = { read: 500, write: 400 }[needed];
  expect(await answerTo({ access: 'write' })).toBe(statusOf);
  // As the previous release's authorizer says it.
  expect(await answerTo({})).toBe(statusOf);
  expect(await answerTo({ access: 'read' })).toBe(needed === 'read' ? statusOf : 403);
});

const writing = operations.filter(({ access }) => access === 'write');

test.each(
  writing.flatMap((operation) =>
    ['read', ...unknownAccess].map((access) => ({ ...operation, access })),
  ),
)(
  '$operationId refuses a key with the access "$access" before it looks at the request',
  async ({ entryPoint, operationId, access }) => {
    expect(await call(entryPoint, { keyId: 'key-1', access })).toEqual(refused);
    expect(dynamodb.received).toEqual([]);
    expect(log).toEqual([requestLine(operationId, { status: 403, code: 'read_only_key' })]);
  },
);
