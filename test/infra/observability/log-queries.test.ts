import { expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const { all } = stackOf('prod');
const queries = all('AWS::Logs::QueryDefinition');
const [{ AccessLogSetting }] = all('AWS::ApiGateway::Stage');
const loggedFields = Object.keys(JSON.parse(AccessLogSetting.Format));

const functions = ['stats', 'count', 'sum', 'max', 'pct', 'substr', 'strcontains', 'sortsLast'];
const words = ['filter', 'fields', 'sort', 'limit', 'by', 'as', 'asc', 'desc'];

/** Returns the fields that a query reads, without those that it makes itself. */
const fieldsOf = (query: string): string[] => {
  const made = query.match(/(?<= as )\w+/g) ?? [];
  const names = query.replaceAll(/"[^"]*"/g, '').match(/(?<![@\w])[a-zA-Z]\w*/g) ?? [];
  return names.filter((name) => ![...made, ...functions, ...words].includes(name));
};

test('the queries of the access log read fields that it has', () => {
  const ofAccessLog = queries.filter(({ LogGroupNames }: Json) =>
    LogGroupNames.includes('<ApiAccessLog>'),
  );
  const unknown = ofAccessLog.flatMap(({ QueryString }: Json) =>
    fieldsOf(QueryString).filter((field) => !loggedFields.includes(field)),
  );
  expect(ofAccessLog).not.toEqual([]);
  expect(unknown).toEqual([]);
});

test('the queries are saved in the folder of the stage', () => {
  expect(queries.map(({ Name }: Json) => Name)).toEqual(
    [
      'server-errors',
      'changes-of-a-pet',
      'cold-starts',
      'requests-by-status',
      'slow-requests',
      'rejected-keys',
      'throttled-requests',
      'use-of-keys',
    ].map((name) => `petstore-inventory/prod/${name}`),
  );
});
