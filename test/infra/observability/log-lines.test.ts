import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestRecord } from '../../../functions/observability/request-log.ts';
import { operations } from '../../../infra/service/operations.ts';
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

test('use-of-keys counts the requests of each operation that writes as updates, and no other', () => {
  const [, counted = ''] =
    /strcontains\(method, "(\w+)"\) as isUpdate/.exec(queryOf('use-of-keys')) ?? [];
  const writes = operations.map(({ method, access }) => [method.includes(counted), access]);
  expect(writes).toStrictEqual(operations.map(({ access }) => [access === 'write', access]));
});

test('the metric filters count throttled operations, and faults of lists', () => {
  const counted = Object.entries(filters).map(([name, filter]) => {
    const [{ MetricValue, DefaultValue }] = filter.MetricTransformations;
    return [name, filter.LogGroupName, filter.FilterPattern, MetricValue, DefaultValue];
  });
  // A scanner may have other routes throttled, which answer without a key.
  const routes = operations.map(
    ({ method, path }) => `($.method = "${method}") && ($.resourcePath = "/v1${path}")`,
  );
  const throttled = `{ ($.responseType = "THROTTLED") && ((${routes.join(') || (')})) }`;
  const failed = '{ ($.operation = "listInventory") && ($.level = "ERROR") }';
  expect(counted).toStrictEqual([
    ['AlarmsThrottled', '<ApiAccessLog>', throttled, '1', 0],
    ['AlarmsListFaults', '<ListInventoryLogs>', failed, '1', 0],
  ]);
});

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
/** A transaction that finds the receipt of an earlier request. */
const repeated: Script = (call) => {
  const Item = { ...call.body.TransactItems[0].Put.Item, writer: { S: 'another' } };
  const CancellationReasons = [{ Code: 'ConditionalCheckFailed', Item }, { Code: 'None' }];
  const body = { __type: 'x#TransactionCanceledException', CancellationReasons };
  respond(400, JSON.stringify(body))(call);
};
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
  ifMatch: { event: update4('"7-sold"'), script: applied },
  ifMatchLength: { event: update4('W/"7-sold"'), script: throttled },
  idempotencyKeyHash: { event: update4('"7-sold"', 'a'), script: transacted },
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
  const report = { type: 'platform.report', record: { status: 'success' } };
  const logged = JSON.stringify([...log, report]);
  const ofFunctions: string[] = logged.match(/(?<=")\w+(?=":)/g) ?? [];
  const [{ AccessLogSetting }] = all('AWS::ApiGateway::Stage');
  const ofAccessLog = Object.keys(JSON.parse(AccessLogSetting.Format));
  const unknown = queries.flatMap(({ QueryString, LogGroupNames }) => {
    const known = LogGroupNames.flatMap((log: string) =>
      log === '<ApiAccessLog>' ? ofAccessLog : ofFunctions,
    );
    return fieldsOf(QueryString).filter((field) => !known.includes(field));
  });
  expect(queries).toHaveLength(6);
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
