import { expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const { all } = stackOf('prod');
const queries = all('AWS::Logs::QueryDefinition');
const [{ AccessLogSetting }] = all('AWS::ApiGateway::Stage');
const loggedFields = Object.keys(JSON.parse(AccessLogSetting.Format));

const queryOf = (name: string): string =>
  queries.find(({ Name }: Json) => Name === `petstore-inventory/prod/${name}`).QueryString;

/**
 * Whether a line of a log, or of a result, passes each filter of a query. A condition becomes one of
 * JavaScript, in which a field that the line lacks is undefined.
 */
const passes = (query: string, line: Json): boolean =>
  query
    .split(/(?:^|\n)\s*\| (?=\w)|(?<=^)(?=filter)/)
    .filter((command) => command.startsWith('filter '))
    .every((command) => {
      const condition = command
        .replace('filter ', '')
        .replaceAll(/(?<=[^!<>])= /g, '== ')
        .replaceAll(' and ', ' && ')
        .replaceAll(/\s+or /g, ' || ')
        .replaceAll(/[\w.]*[a-z]\w*(?=[ )]|$)/gi, (field) => field.replaceAll('.', '?.'));
      const fields = new Proxy(line, { has: (_line, name) => name !== 'ispresent' });
      const ispresent = (value: unknown) => value !== undefined;
      return new Function('fields', 'ispresent', `with (fields) { return ${condition} }`)(
        fields,
        ispresent,
      );
    });

const update = { operation: 'updateInventory', status: 200, petId: '1' };
const report = (record: object) => ({ type: 'platform.report', record });
const coldStart = report({ status: 'success', metrics: { initDurationMs: 120 } });

test.each([
  {
    name: 'server-errors',
    found: [{ level: 'ERROR', status: 200 }, { status: 500 }, report({ status: 'timeout' })],
    left: [{ level: 'INFO', status: 499 }, coldStart],
  },
  {
    name: 'changes-of-a-pet',
    found: [update],
    left: [
      { ...update, petId: '2' },
      { ...update, status: 404 },
      { ...update, operation: 'listInventory' },
    ],
  },
  {
    name: 'cold-starts',
    found: [coldStart],
    left: [report({ status: 'success', metrics: {} }), update],
  },
  { name: 'rejected-keys', found: [{ status: '401' }], left: [{ status: '403' }] },
  { name: 'throttled-requests', found: [{ throttled: 1 }], left: [{ throttled: 0 }] },
  { name: 'use-of-keys', found: [{ keyId: 'a1' }], left: [{ keyId: '-' }] },
])('$name finds what it is about, and leaves the rest', ({ name, found, left }) => {
  const result = [...found, ...left].filter((line) => passes(queryOf(name), line));
  expect(result).toStrictEqual(found);
});

const functions = 'stats count sum max pct substr replace strcontains sortsLast'.split(' ');
const words = ['filter', 'fields', 'sort', 'limit', 'by', 'as', 'desc'];

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
  expect(ofAccessLog).toHaveLength(5);
  expect(unknown).toStrictEqual([]);
});

test('throttled-requests shows the key that was accepted last, whatever was refused since', () => {
  const query = queryOf('throttled-requests');
  const [, replaced = '', by = '', name] =
    /replace\(keyId, "(.+)", "(.+)"\) as (\w+)/.exec(query) ?? [];
  expect(query).toContain(`sortsLast(${name}) as lastKeyId`);
  // A request that the firewall or a limit refused, one whose key was refused, and one with a key.
  const keyIds = ['-', 'unknown', '3f9a0c12'].map((keyId) => keyId.replace(replaced, by));
  expect(keyIds.sort().at(-1)).toBe('3f9a0c12');
});
