import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { operations } from '../../../infra/service/operations.ts';
import { everyRequest } from '../../support/functions/capture-log.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

// Whether the saved queries and the metric filters find in a log what they look for.

const { all } = stackOf('prod');
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

/** Returns the fields among these that none of the logs has. */
const unknownIn = (logs: string[], fields: string[]): string[] => {
  const known = logs.flatMap((log) => (log === '<ApiAccessLog>' ? ofAccessLog : ofFunctions));
  return fields.filter((field) => !known.includes(field));
};

test.each(queries)('the query $Name reads fields that its logs have', (query) => {
  const fields = fieldsOf(query.QueryString);
  expect(fields).not.toStrictEqual([]);
  expect(unknownIn(query.LogGroupNames, fields)).toStrictEqual([]);
});

test('a metric filter reads fields that its log has', () => {
  const filters = all('AWS::Logs::MetricFilter');
  const unknown = filters.flatMap(({ LogGroupName, FilterPattern }: Json) =>
    unknownIn([LogGroupName], FilterPattern.match(/(?<=\$\.)\w+/g)),
  );
  expect(unknown).toStrictEqual([]);
});

test('use-of-keys counts the requests of each operation that writes as updates, and no other', () => {
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
