import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import { anchorsOf, firstCells, textOf } from '../support/docs/markdown.ts';
import { stackOf } from '../support/stack/synthesized.ts';

const page = textOf('docs/reference.md');
const { byName, all } = stackOf('prod');

/** Returns what stands in the first column below a heading, each once. `list.timeout` is `list`. */
const rowsOf = (heading: string): string[] => [
  ...new Set(firstCells(page, heading).map((cell) => /\w[\w-]*/.exec(cell)?.[0] ?? cell)),
];

test('the table `Setting` of docs/reference.md has a row for each setting of a stage', () => {
  const source = readFileSync('infra/settings/stage-settings.ts', 'utf8');
  const [, members = ''] = source.split('export interface StageSettings');
  const settings = members.match(/(?<=^ {2})\w+(?=\??:)/gm) ?? [];
  expect(settings.length).toBeGreaterThan(8);
  expect(rowsOf('Setting').sort()).toStrictEqual(settings.sort());
});

const alarms = Object.keys(byName('AWS::CloudWatch::Alarm'))
  .filter((name) => name.startsWith('Alarms'))
  .map((name) => name.replace('Alarms', ''));

test('the table `Alarm` of docs/reference.md has a row for each alarm that notifies', () => {
  expect(alarms.length).toBeGreaterThan(2);
  expect(rowsOf('Alarm').sort()).toStrictEqual(alarms.sort());
});

test('the table `Saved query` of docs/reference.md has a row for each', () => {
  const queries = all('AWS::Logs::QueryDefinition').map(({ Name }) => Name.replace(/.*\//, ''));
  expect(queries.length).toBeGreaterThan(3);
  expect(rowsOf('Saved query').sort()).toStrictEqual(queries.sort());
});

test('docs/errors.md has a row for each code, with its anchor and its status', () => {
  const rows = textOf('docs/errors.md').matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` \| (\d{3}) \|/gm);
  const documented = [...rows].map(([, anchor, code, status]) => ({ anchor, code, status }));
  const expected = Object.entries(statusOfCode).map(([code, status]) => ({
    anchor: code,
    code,
    status: String(status),
  }));
  const byCode = (one: { code?: string }, other: { code?: string }) =>
    String(one.code).localeCompare(String(other.code));
  expect(documented.sort(byCode)).toStrictEqual(expected.sort(byCode));
  expect(anchorsOf('docs/errors.md')).toStrictEqual(
    expect.arrayContaining(Object.keys(statusOfCode)),
  );
});
