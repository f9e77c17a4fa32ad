import { beforeAll, expect, jest, test } from '@jest/globals';
import type { Integration } from '../../../local/gateway/integrations/integration.ts';
import { GatewayResponseError } from '../../../local/gateway/responses/gateway-response.ts';
import { type AccessRecord, accessLine } from '../../../local/log/access-log.ts';
import {
  respond,
  respondWithError,
  scanEntries,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';
import { contextWith, eventOf, patchEvent, stream } from '../../support/functions/functions.ts';
import { serveRoute } from '../../support/http/fixture-gateway.ts';
import { sendRaw } from '../../support/http/http-client.ts';
import { stageOf } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import { functionNames } from '../service/documented-operations.ts';
import { discoverFields, fieldsOf, type LogLine, type Row, runQuery } from './logs-insights.ts';

const stack = stageOf(prod);
const queries = Object.fromEntries(
  stack
    .all('AWS::Logs::QueryDefinition')
    .map(({ Name, QueryString, LogGroupNames }) => [
      Name.replace('petstore-inventory/test/', ''),
      { query: QueryString, logGroups: LogGroupNames },
    ]),
);

const dynamodb = await startDynamodb();
const { handler: authorize } = await import('../../../functions/authorizer.ts');
const { handler: list } = await import('../../../functions/list-inventory.ts');
const { handler: update } = await import('../../../functions/update-inventory.ts');

const broken = respondWithError(400, 'ValidationException');
const apiKey = 'petstore_staging_000102030405060708090a0b0c0d0e0f10111213dd2b7b0b';

const updatePet = async (petId: string, script = foundPet) => {
  dynamodb.script(script);
  await update(patchEvent(petId, '{"quantity":3}'), contextWith(10_000));
};
const foundPet = respond(
  200,
  JSON.stringify({ Attributes: { quantity: { N: '5' }, status: { S: 'sold' } } }),
);
const noPet = respondWithError(400, 'ConditionalCheckFailedException');

const listPets = async (script = scanEntries(3)) => {
  dynamodb.script(script);
  // A list that is cut off rejects. Its log line is what matters here.
  await stream(list, eventOf(), 60_000).ended.catch(() => {});
};

const checkKey = async (script = respond(200, '{}')) => {
  dynamodb.script(script);
  const event = { type: 'TOKEN', authorizationToken: apiKey, methodArn: 'a/test/' } as const;
  await authorize(event, contextWith(10_000)).catch(() => {});
};

/** The line that Lambda itself writes for an invocation. */
const report = (status: string, metrics: object = {}) =>
  JSON.stringify({
    time: '2026-11-22T12:00:00.000Z',
    type: 'platform.report',
    record: {
      requestId: 'r',
      metrics: { durationMs: 12, billedDurationMs: 13, ...metrics },
      status,
    },
  });

/** Returns what the functions log while they serve requests of every kind. */
const functionMessages = async (): Promise<string[]> => {
  const messages: string[] = [];
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => messages.push(String(text)) > 0);
  await updatePet('1');
  await updatePet('2');
  await updatePet('1');
  await updatePet('1', noPet);
  await updatePet('1', broken);
  await listPets();
  await listPets(broken);
  await checkKey();
  await checkKey(broken);
  write.mockRestore();
  return [
    ...messages,
    report('success'),
    report('success', { initDurationMs: 120 }),
    report('success', { initDurationMs: 180 }),
    report('timeout'),
  ];
};

const linesOf = (messages: string[], log: string): LogLine[] =>
  messages.map((message, index) => ({
    '@timestamp': index,
    '@message': message,
    '@log': log,
  }));

const path = '/v1/inventory/{petId}';
const throttled = { allowsRequest: () => false };
const rejected = {
  authorizer: {
    authorize: () => Promise.reject(new GatewayResponseError('UNAUTHORIZED')),
    flushCache: () => {},
  },
};

/** Requests as the gateway meets them. Each takes ten milliseconds longer than the one before. */
const requests = [
  { status: 404, route: {} },
  { status: 200, route: {} },
  { status: 200, route: {} },
  { status: 401, route: rejected },
  { status: 401, route: rejected },
  { status: 429, route: throttled },
  { status: 200, route: {} },
];

/** Returns what the gateway logs about the requests, in the format of the stage. */
const accessMessages = async (): Promise<string[]> => {
  const [{ AccessLogSetting }] = stack.all('AWS::ApiGateway::Stage');
  const messages: string[] = [];
  const log = (record: AccessRecord) => {
    const responseLatency = 10 * (messages.length + 1);
    messages.push(accessLine(AccessLogSetting.Format, { ...record, responseLatency }));
  };
  for (const { status, route } of requests) {
    const integrate: Integration = async (_request, response) => {
      response.writeHead(status).end();
    };
    const base = await serveRoute(integrate, { resourcePath: path, ...route, log });
    await sendRaw(base, { method: 'PATCH', path: '/v1/inventory/1' });
  }
  return messages;
};

const functionLogs = functionNames.map((name) => `<${name}Logs>`);
const accessLogs = ['<ApiAccessLog>'];

let ofFunctions: LogLine[];
let ofApi: LogLine[];
beforeAll(async () => {
  ofFunctions = linesOf(await functionMessages(), 'functions');
  ofApi = linesOf(await accessMessages(), 'api');
});

const linesFor = (name: string): LogLine[] =>
  queries[name]?.logGroups.length > 1 ? ofFunctions : ofApi;
const resultOf = (name: string): Row[] => runQuery(queries[name]?.query, linesFor(name));

test.each([
  { name: 'server-errors', logGroups: functionLogs },
  { name: 'changes-of-a-pet', logGroups: functionLogs },
  { name: 'cold-starts', logGroups: functionLogs },
  { name: 'requests-by-status', logGroups: accessLogs },
  { name: 'slow-requests', logGroups: accessLogs },
  { name: 'rejected-keys', logGroups: accessLogs },
  { name: 'throttled-requests', logGroups: accessLogs },
])('$name reads the logs of what it asks about', ({ name, logGroups }) => {
  expect(new Set(queries[name]?.logGroups)).toEqual(new Set(logGroups));
});

test.each(Object.keys(queries))('each field of %s is in a line of its log', (name) => {
  const fields = fieldsOf(queries[name]?.query);
  const present = new Set(linesFor(name).flatMap((line) => Object.keys(discoverFields(line))));
  expect(fields.length).toBeGreaterThan(1);
  expect(fields.filter((field) => !present.has(field))).toEqual([]);
});

test('server-errors has every failure and timeout, the newest first', () => {
  const failure = {
    level: 'ERROR',
    requestId: 'request-1',
    status: 500,
    errorType: 'ValidationException',
    errorMessage: 'Not a word of this to clients.',
    '@timestamp': expect.any(Number),
    '@message': expect.any(String),
  };
  expect(resultOf('server-errors')).toEqual([
    { '@timestamp': 12, '@message': report('timeout') },
    { ...failure, operation: 'authorize', requestId: undefined, status: undefined },
    { ...failure, operation: 'listInventory' },
    { ...failure, operation: 'updateInventory' },
  ]);
});

test('changes-of-a-pet has the updates of one pet that succeeded, the newest first', () => {
  const change = { keyId: 'key-1', requestId: 'request-1', petId: '1', quantityTo: 3 };
  expect(resultOf('changes-of-a-pet')).toEqual([
    { ...change, quantityFrom: 5, '@timestamp': 2 },
    { ...change, quantityFrom: 5, '@timestamp': 0 },
  ]);
});

test('cold-starts counts those that had an init, and says how long it took', () => {
  expect(resultOf('cold-starts')).toEqual([{ '@log': 'functions', coldStarts: 2, p99: 180 }]);
});

const patch = { method: 'PATCH', resourcePath: path };

test('requests-by-status counts requests, the most frequent first', () => {
  expect(resultOf('requests-by-status')).toEqual([
    { ...patch, status: '200', requests: 3, p50: 30, p99: 70 },
    { ...patch, status: '401', requests: 2, p50: 40, p99: 50 },
    { ...patch, status: '404', requests: 1, p50: 10, p99: 10 },
    { ...patch, status: '429', requests: 1, p50: 60, p99: 60 },
  ]);
});

test('slow-requests has the requests that took longest first, and where the time went', () => {
  const statuses = requests.map(({ status }) => String(status));
  const row = { ...patch, requestId: expect.any(String), extendedRequestId: expect.any(String) };
  const times = { authorizerLatency: expect.any(String), integrationLatency: expect.any(String) };
  expect(resultOf('slow-requests')).toEqual(
    statuses
      .map((status, index) => ({
        ...row,
        ...times,
        status,
        latency: String(10 * (index + 1)),
        '@timestamp': index,
      }))
      .reverse(),
  );
});

test('rejected-keys counts the requests of each address whose key was rejected', () => {
  const rejections = { ip: '127.0.0.1', responseType: 'UNAUTHORIZED', rejected: 2 };
  expect(resultOf('rejected-keys')).toEqual([rejections]);
});

test('throttled-requests counts the requests of each address that got a 429', () => {
  expect(resultOf('throttled-requests')).toEqual([
    {
      ...patch,
      ip: '127.0.0.1',
      keyId: '-',
      responseType: 'THROTTLED',
      wafResponseCode: '-',
      throttled: 1,
    },
  ]);
});

test.each(['server-errors', 'changes-of-a-pet', 'slow-requests'])('%s has 100 rows', (name) => {
  const many = Array<LogLine[]>(100).fill(linesFor(name)).flat();
  expect(runQuery(queries[name]?.query, many)).toHaveLength(100);
});

test('a query that was renamed keeps its logical id', () => {
  expect(Object.keys(stack.byName('AWS::Logs::QueryDefinition'))).toContain(
    'LogQueriesrefusedkeys',
  );
});
