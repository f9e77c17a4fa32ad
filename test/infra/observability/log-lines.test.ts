import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestRecord } from '../../../functions/observability/request-log.ts';
import type { QueryName } from '../../../infra/observability/log-queries.ts';
import { type Operation, operations } from '../../../infra/service/operations.ts';
import {
  respond,
  retryAtOnce,
  type Script,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { contextWith, patchEvent } from '../../support/functions/functions.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

// Which lines of a log the saved queries find, and the metric filters count.

const dynamodb = await startDynamodb();
const { client } = await import('../../../functions/dynamodb/dynamodb-client.ts');
retryAtOnce(client);
const { handler: updateHandler } = await import('../../../functions/update-inventory.ts');
const { handler: authorize } = await import('../../../functions/authorizer.ts');
const log = captureLog();

const { all, byName } = stackOf('prod');
const filters = byName('AWS::Logs::MetricFilter');
const queries = all('AWS::Logs::QueryDefinition');
const queryOf = (name: string): string =>
  queries.find(({ Name }: Json) => Name === `petstore-inventory/prod/${name}`).QueryString;

/** How the words of both languages are called in JavaScript. */
const words: Record<string, string> = {
  '=': '==',
  IS: '==',
  FALSE: 'false',
  and: '&&',
  or: '||',
  ispresent: 'undefined !==',
};

/** Whether a condition holds for a line. A field that the line lacks is undefined. */
const holds = (condition: string, line: Json): boolean => {
  const translated = condition.replaceAll(/"[^"]*"|\$?[\w.]*[a-zA-Z]\w*|[!<>]?=/g, (word) => {
    const field = `line.${word.replace('$.', '')}`.replaceAll('.', '?.');
    return /^["!<>]/.test(word) ? word : (words[word] ?? field);
  });
  return new Function('line', `return ${translated}`)(line);
};

/** Whether a line, or one of a result, passes each filter of a query. */
const passes = (query: string, line: Json): boolean =>
  query
    .split(/(?:^|\n)\| /)
    .filter((command) => command.startsWith('filter '))
    .every((command) => holds(command.replace('filter ', ''), line));

const update = { operation: 'updateInventory', status: 200, petId: '1' };
/** The line of pet 1 for each operation with this access. */
const linesOf = (wanted: Operation['access']) =>
  operations
    .filter(({ access }) => access === wanted)
    .map(({ operationId: operation }) => ({ ...update, operation }));
const report = (record: object) => ({ type: 'platform.report', record });
const coldStart = report({ status: 'success', metrics: { initDurationMs: 120 } });

interface Lines {
  found: Json[];
  left: Json[];
}

const anyLines: Lines = { found: [update, { status: '429' }, {}], left: [] };

/** Which lines each query is about, and which not. */
const linesByQuery: Record<QueryName, Lines> = {
  'server-errors': {
    found: [{ level: 'ERROR', status: 200 }, { status: 500 }, report({ status: 'timeout' })],
    left: [{ level: 'INFO', status: 499 }, coldStart],
  },
  'changes-of-a-pet': {
    found: [...linesOf('write'), { ...update, status: 500 }],
    left: [
      { ...update, petId: '2' },
      { ...update, petId: '2', status: 500 },
      { ...update, status: 404 },
      ...linesOf('read'),
    ],
  },
  'cold-starts': {
    found: [coldStart],
    left: [report({ status: 'success', metrics: {} }), update],
  },
  'rejected-keys': { found: [{ status: '401' }], left: [{ status: '403' }] },
  'one-request': {
    found: [
      { requestId: 'ID', status: '200' },
      { requestId: 'ID', status: 200 },
    ],
    left: [{ requestId: 'other' }],
  },
  'use-of-keys': { found: [{ keyId: 'a1' }], left: [{ keyId: '-' }] },
  'requests-by-status': anyLines,
  'slow-requests': anyLines,
  'requests-by-client': anyLines,
};

test('there are these saved queries, and no others', () => {
  const names = queries.map(({ Name }) => Name.replace('petstore-inventory/prod/', ''));
  expect(names.sort()).toStrictEqual(Object.keys(linesByQuery).sort());
});

test.each(Object.entries(linesByQuery))(
  'the query %s finds what it is about, and leaves the rest',
  (name, { found, left }) => {
    const result = [...found, ...left].filter((line) => passes(queryOf(name), line));
    expect(result).toStrictEqual(found);
  },
);

test.each([
  { sum: 'throttled', counted: { status: '429' }, left: { status: '200' } },
  { sum: 'failed', counted: { status: '504' }, left: { status: '405' } },
  {
    sum: 'byFirewall',
    counted: { wafResponseCode: 'WAF_BLOCK' },
    left: { wafResponseCode: 'WAF_ALLOW' },
  },
])('requests-by-client counts as $sum what is one', ({ sum, ...row }) => {
  const query = queryOf('requests-by-client');
  const [, summed] = new RegExp(`sum\\((\\w+)\\) as ${sum}\\b`).exec(query) ?? [];
  const flag = new RegExp(`strcontains\\(([^"]+), "(\\w+)"\\) as ${summed}\\b`);
  const [, searched = '', text = ''] = flag.exec(query) ?? [];
  const substr = (of: string, from: number, length: number) => of.slice(from, from + length);
  const has = (line: Json): boolean =>
    new Function('substr', ...Object.keys(line), `return ${searched}`)(
      substr,
      ...Object.values(line),
    ).includes(text);
  expect([has(row.counted), has(row.left)]).toStrictEqual([true, false]);
});

test('use-of-keys counts the requests of each operation that writes as updates, and no other', () => {
  const [, counted = ''] =
    /strcontains\(method, "(\w+)"\) as isUpdate/.exec(queryOf('use-of-keys')) ?? [];
  const writes = operations.map(({ method, access }) => [method.includes(counted), access]);
  expect(writes).toStrictEqual(operations.map(({ access }) => [access === 'write', access]));
});

const throttledList = {
  method: 'GET',
  resourcePath: '/v1/inventory',
  responseType: 'THROTTLED',
};

const counted = [
  {
    name: 'Throttled',
    log: '<ApiAccessLog>',
    counted: operations.map(({ method, path }) => ({
      ...throttledList,
      method,
      resourcePath: `/v1${path}`,
    })),
    left: [
      { ...throttledList, responseType: '-' },
      { ...throttledList, responseType: 'WAF_FILTERED' },
      // A scanner, at a route that answers without a key.
      { ...throttledList, resourcePath: '/{proxy+}' },
      { ...throttledList, method: 'OPTIONS' },
    ],
  },
  {
    name: 'ListFaults',
    log: '<ListInventoryLogs>',
    counted: [{ operation: 'listInventory', Faults: 1 }],
    left: [{ operation: 'listInventory', Faults: 0 }, { type: 'platform.report' }],
  },
];

test('there are these metric filters, and no others', () => {
  const names = counted.map(({ name }) => `Alarms${name}`);
  expect(Object.keys(filters).sort()).toStrictEqual(names.sort());
});

test.each(counted)(
  '$name counts the lines of $log that it is about, each once',
  ({ name, ...row }) => {
    const { LogGroupName, FilterPattern, MetricTransformations } = filters[`Alarms${name}`];
    const lines: Json[] = [...row.counted, ...row.left];
    expect({
      log: LogGroupName,
      counted: lines.filter((line) => holds(FilterPattern.slice(1, -1), line)),
      values: MetricTransformations.map(({ MetricValue }: Json) => MetricValue),
    }).toStrictEqual({ log: row.log, counted: row.counted, values: ['1'] });
  },
);

const others =
  'filter fields sort limit stats by as desc ' +
  'and or count sum max pct substr replace strcontains sortsLast ispresent';

/** Returns the fields that a query reads, without those that it makes itself. */
const fieldsOf = (query: string): string[] => {
  const made = query.match(/(?<= as )\w+/g) ?? [];
  const names = query.replaceAll(/"[^"]*"/g, '').match(/(?<![@\w])[a-zA-Z]\w*/g) ?? [];
  return names.filter((name) => ![...made, ...others.split(' ')].includes(name));
};

test('a field of the access log has the value that its name says', () => {
  const [{ AccessLogSetting }] = all('AWS::ApiGateway::Stage');
  const fields = Object.entries<string>(JSON.parse(AccessLogSetting.Format));
  expect(fields).not.toStrictEqual([]);
  // Such as integrationStatus, which is $context.integration.status.
  const others = fields.filter(
    ([name, variable]) => !variable.replaceAll('.', '').toLowerCase().includes(name.toLowerCase()),
  );
  expect(others).toStrictEqual([]);
});

const applied = respond(200, '{"Attributes":{"quantity":{"N":"7"},"status":{"S":"sold"}}}');
const transacted = respond(200, '{}');
const repeated = respond(200, '{"ConsumedCapacity":[{"ReadCapacityUnits":2}]}');
const throttled = respond(
  400,
  '{"__type":"x#ThrottlingException","throttlingReasons":[{"reason":"x"}],"message":"x"}',
  { 'x-amzn-RequestId': 'X1' },
);
const update4 = (ifMatch?: string, key?: string) =>
  patchEvent('1', '{"quantity":4}', {
    ...(ifMatch !== undefined && { 'If-Match': [ifMatch] }),
    ...(key !== undefined && { 'Idempotency-Key': [key] }),
  });

/** A request for each field that an operation adds to its line. */
const requestsWith: Record<
  keyof RequestRecord['fields'],
  { event: APIGatewayProxyEvent; script: Script }
> = {
  code: { event: update4(), script: throttled },
  petId: { event: update4(), script: applied },
  quantityFrom: { event: update4(), script: applied },
  quantityTo: { event: update4(), script: applied },
  ifMatch: { event: update4('"7-sold"'), script: transacted },
  ifMatchLength: { event: update4('W/"7-sold"'), script: throttled },
  idempotencyKeyHash: { event: update4('"7-sold"', 'a'), script: transacted },
  // DynamoDB charges read units for a transaction that it has run before.
  repeated: { event: update4('"7-sold"', 'b'), script: repeated },
};

test.each(Object.entries(requestsWith))(
  'an operation sets the field %s',
  async (field, { event, script }) => {
    dynamodb.script(script);
    await updateHandler(event, contextWith(10_000));
    expect(log).toHaveLength(1);
    expect(log[0]).toHaveProperty(field);
  },
);

test('each query reads fields that its logs have', async () => {
  for (const { event, script } of Object.values(requestsWith)) {
    dynamodb.script(script);
    await updateHandler(event, contextWith(10_000));
  }
  const token = { type: 'TOKEN', authorizationToken: 'x', methodArn: 'arn/staging/' } as const;
  await authorize(token, contextWith(10_000));
  const logged = JSON.stringify([...log, coldStart]);
  const ofFunctions: string[] = logged.match(/(?<=")\w+(?=":)/g) ?? [];
  const [{ AccessLogSetting }] = all('AWS::ApiGateway::Stage');
  const ofAccessLog = Object.keys(JSON.parse(AccessLogSetting.Format));
  const unknown = queries.flatMap(({ QueryString, LogGroupNames }) => {
    const known = LogGroupNames.flatMap((log: string) =>
      log === '<ApiAccessLog>' ? ofAccessLog : ofFunctions,
    );
    return fieldsOf(QueryString).filter((field) => !known.includes(field));
  });
  expect(queries.length).toBeGreaterThan(5);
  expect(unknown).toStrictEqual([]);
});

test('requests-by-client shows the key that was accepted last, whatever was refused since', () => {
  const query = queryOf('requests-by-client');
  const [, replaced = '', by = '', name] =
    /replace\(keyId, "(.+)", "(.+)"\) as (\w+)/.exec(query) ?? [];
  expect(query).toContain(`sortsLast(${name}) as lastKeyId`);
  // A request that the firewall or a limit refused, one whose key was refused, and one with a key.
  const keyIds = ['-', 'unknown', '3f9a0c12'].map((keyId) => keyId.replace(replaced, by));
  expect(keyIds.sort().at(-1)).toBe('3f9a0c12');
});
