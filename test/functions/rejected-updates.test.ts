import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { captureLog, requestLine } from '../support/capture-log.ts';
import { contextWith, errorResult, eventOf, patchEvent, setEnvironment } from '../support/functions.ts';

// Nobody listens there: what gets through is no 4xx.
setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9', INVENTORY_TABLE_NAME: 'inventory' });
const { handler } = await import('../../functions/update-inventory.ts');
const log = captureLog();

const body = '{"quantity":7}';
const withHeaders = (headers: Record<string, string[]>) => eventOf({ petId: '1', body, headers });
const withType = (...types: string[]) => withHeaders({ 'Content-Type': types });
const withBody = (text: string | null) => patchEvent('1', text);
const ofQuantity = (numeral: string) => withBody(`{"quantity":${numeral}}`);

const petIdRange = 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const range = 'an integer from 0 to 9007199254740991';
const object = '{"quantity": <integer>}';

const notPetId = (quoted: string) => ['invalid_pet_id', `petId must be ${petIdRange}, not ${quoted}.`];
const wrongType = (given: string) => ['unsupported_content_type', `Content-Type must be application/json, ${given}.`];
const tooLarge = (bytes: number) => ['request_too_large', `The body must have at most 4096 bytes, not ${bytes}.`];
const missing = ['invalid_body', `A body is required: ${object}.`];
const noJson = ['invalid_body', 'The body is not valid JSON.'];
const forbiddenKey = ['invalid_body', `The body must be ${object} and nothing more.`];
const noObject = (what: string) => ['invalid_body', `The body must be a JSON object, ${object}, not ${what}.`];
const other = (name: string) => ['invalid_body', `The body must have no property but quantity, and has ${name}.`];
const noQuantity = ['invalid_quantity', `quantity is missing: it must be ${range}.`];
const wrong = (what: string) => ['invalid_quantity', `quantity must be ${range}, not ${what}.`];

/** As long as a body may be, and as deep. */
const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;

const petIds = [
  ...['', '-', '-0', '00', '01', '+1', '1.0', '1e0', '1n', ' 1', '1 ', '1\n', '0x1', '١', '--1', '1_0'],
  ...['9223372036854775808', '-9223372036854775809', '%zz', '%ff', '9'.repeat(24)],
];

test.each<[string[], APIGatewayProxyEvent]>([
  ...petIds.map((petId): [string[], APIGatewayProxyEvent] => [
    notPetId(JSON.stringify(petId)),
    patchEvent(petId, body),
  ]),
  [notPetId('"1x"'), patchEvent('%31%78', body)],
  [notPetId(`"${'9'.repeat(24)}…"`), patchEvent('9'.repeat(25), body)],
  [notPetId('""'), { ...withBody(body), pathParameters: null }],
  [wrongType('and is missing'), withHeaders({})],
  [wrongType('and is missing'), { ...withBody(body), multiValueHeaders: null as never }],
  [wrongType('and is missing'), withType('')],
  [wrongType('not "application/json5"'), withType('application/json5')],
  [wrongType('not "xapplication/json"'), withType('xapplication/json')],
  [wrongType('not "application/json, text/p…"'), withType('application/json', 'text/plain')],
  [wrongType('not "a, b, c"'), withHeaders({ 'Content-Type': ['a', 'b'], 'CONTENT-TYPE': ['c'], Accept: ['d'] })],
  [tooLarge(4_097), withBody(`${deep} `)],
  [tooLarge(4_097), patchEvent('1', btoa(`${deep} `), true)],
  // Two bytes each, and before anything else is looked at.
  [tooLarge(4_098), eventOf({ petId: 'x', body: 'é'.repeat(2_049) })],
  [noObject('an array'), withBody(deep)],
  [noObject('an array'), patchEvent('1', btoa(deep), true)],
  [noObject('null'), withBody('null')],
  [noObject('a number'), withBody('7')],
  [noObject('a string'), withBody('"quantity"')],
  [missing, withBody(null)],
  [missing, withBody('')],
  [noJson, withBody('{')],
  [noJson, withBody('{"quantity":07}')],
  [noJson, withBody('\ufeff{}')],
  [noJson, withBody('['.repeat(4_096))],
  [forbiddenKey, withBody('{"quantity":7,"__proto__":{}}')],
  [forbiddenKey, withBody('{"a":[{"constructor":{"prototype":{}}}]}')],
  [other('"status"'), withBody('{"quantity":7,"status":"sold"}')],
  [other('"constructor"'), withBody('{"constructor":7}')],
  [other(`"${'k'.repeat(24)}…"`), withBody(`{"${'k'.repeat(25)}":7}`)],
  [other(`"${'k'.repeat(24)}"`), withBody(`{"${'k'.repeat(24)}":7}`)],
  [noQuantity, withBody('{}')],
  [noQuantity, eventOf({ petId: '1', body: '{}', headers: { 'content-TYPE': ['Application/JSON; charset=utf-8'] } })],
  [noQuantity, eventOf({ petId: '1', body: '{}', headers: { 'Content-type': ['application/json\t;'] } })],
  [wrong('a larger number'), ofQuantity('9007199254740992')],
  [wrong('a larger number'), ofQuantity('1e400')],
  [wrong('a negative number'), ofQuantity('-1.5')],
  [wrong('a fraction'), ofQuantity('1.5')],
  [wrong('a fraction'), ofQuantity('1.0000000000000000001')],
  [wrong('a string'), ofQuantity('"7"')],
  [wrong('null'), ofQuantity('null')],
  [wrong('an array'), ofQuantity('[7]')],
  [wrong('an object'), ofQuantity('{}')],
])('an update is rejected, and counts nothing: %j', async ([code = '', message = ''], event) => {
  const status = code === 'request_too_large' ? 413 : 400;
  const response = (await handler(event, contextWith(10_000))) as APIGatewayProxyResult;
  expect(response).toEqual(errorResult(status, code, message));
  expect(log).toEqual([requestLine('updateInventory', { status, code })]);
});
