import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { operations } from '../../../infra/service/operations.ts';
import { everyRequest } from '../../support/functions/capture-log.ts';
import { stackOf } from '../../support/stack/synthesized.ts';

// Whether the saved queries and the metric filters find in a log what they look for.

const { all, byName } = stackOf('prod');
const filters = byName('AWS::Logs::MetricFilter');
const queries = all('AWS::Logs::QueryDefinition');
const queryOf = (name: string): string =>
  queries.find(({ Name }) => Name === `petstore-inventory/prod/${name}`).QueryString;

/** The fields of the API's access log. */
const ofAccessLog = Object.keys(
  JSON.parse(all('AWS::ApiGateway::Stage')[0].AccessLogSetting.Format),
);

/** The fields that functions log: those of their recorded lines, of every line, and of Lambda's. */
const ofFunctions = [
  ...globSync('test/functions/*.txt').flatMap((file) => {
    const lines = readFileSync(file, 'utf8').match(/^~ \{.*/gm) ?? [];
    return lines.flatMap((line) => line.match(/(?<=")\w+(?=":)/g) ?? []);
  }),
  ...Object.keys(everyRequest),
  ...['type', 'record', 'status'],
];

const words =
  'filter fields sort limit stats by as desc ' +
  'and or count sum max pct substr replace strcontains sortsLast ispresent';

/** Returns the fields that a query reads, without those that it makes itself. */
const fieldsOf = (query: string): string[] => {
  const made = query.match(/(?<= as )\w+/g) ?? [];
  const names = query.replaceAll(/"[^"]*"/g, '').match(/(?<![@\w])[a-zA-Z]\w*/g) ?? [];
  return names.filter((name) => ![...made, ...words.split(' ')].includes(name));
};

test.each(queries)('the query $Name reads fields that its logs have', (query) => {
  const known = query.LogGroupNames.flatMap((log: string) =>
    log === '<ApiAccessLog>' ? ofAccessLog : ofFunctions,
  );
  const fields = fieldsOf(query.QueryString);
  expect(fields).not.toStrictEqual([]);
  expect(fields.filter((field) => !known.includes(field))).toStrictEqual([]);
});

/** Whether a metric filter counts a line. All but one of its operators are JavaScript's. */
const counts = (name: string, line: object): boolean => {
  const [, condition = ''] = /^\{(.*)\}$/.exec(filters[name].FilterPattern) ?? [];
  const expression = condition.replaceAll('$.', 'line.').replaceAll(' = ', ' === ');
  return new Function('line', `return ${expression}`)(line);
};

test('the metric filters count throttled operations, and faults of lists', () => {
  const responseType = 'THROTTLED';
  for (const { method, path } of operations) {
    const request = { method, resourcePath: `/v1${path}` };
    expect(counts('AlarmsThrottled', { ...request, responseType })).toBe(true);
    expect(counts('AlarmsThrottled', { ...request, responseType: '-' })).toBe(false);
  }
  // A scanner may have other routes throttled, which answer without a key.
  const other = { method: 'GET', resourcePath: '/{proxy+}', responseType };
  expect(counts('AlarmsThrottled', other)).toBe(false);
  const list = { operation: 'listInventory', level: 'ERROR' };
  expect(counts('AlarmsListFaults', list)).toBe(true);
  expect(counts('AlarmsListFaults', { ...list, level: 'INFO' })).toBe(false);
});

test('use-of-keys counts as updates the requests of operations that write, and no others', () => {
  const [, counted = ''] =
    /strcontains\(method, "(\w+)"\) as isUpdate/.exec(queryOf('use-of-keys')) ?? [];
  const writes = operations.map(({ method, access }) => [method.includes(counted), access]);
  expect(writes).toStrictEqual(operations.map(({ access }) => [access === 'write', access]));
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
