import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Resource, resourcesOf, type Template, templates } from '../support/synthesized.ts';

const prod = templates.prod as Template;
const operations = readFileSync('docs/operations.md', 'utf8');

/** The text of an intrinsic function, its references left out. */
const textIn = (value: unknown): string => JSON.stringify(value).replaceAll('\\"', '"').replaceAll('\\\\"', '"');

const section = (page: string, title: string): string =>
  new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(page)?.[1] ?? '';

test('docs/operations.md lists every alarm of a stage', () => {
  const alarms = Object.values<Resource>(resourcesOf(prod, 'AWS::CloudWatch::Alarm')).flatMap(
    ({ Properties }) => /See (\w+) in/.exec(String(Properties.AlarmDescription))?.[1] ?? [],
  );
  const rows = [...section(operations, 'Alarms').matchAll(/^\| (\w+(?:, \w+)*) \| [^|]+ \| \d.*min \|$/gm)];
  expect(alarms.length).toBeGreaterThan(10);
  expect(rows.flatMap(([, names = '']) => names.split(', ')).sort()).toEqual(alarms.sort());
});

test('docs/operations.md lists every widget of the dashboard in order, and every saved query', () => {
  const text = section(operations, 'Dashboard and saved queries').replaceAll('\n', ' ');
  const [dashboard] = Object.values<Resource>(resourcesOf(prod, 'AWS::CloudWatch::Dashboard'));
  const titles = [...textIn(dashboard?.Properties.DashboardBody).matchAll(/"title":"([^"]+)"/g)].map(
    ([, title]) => title,
  );
  const [, listed = ''] = /from the top: (.*) · the names of the saved queries\./.exec(text) ?? [];
  expect(titles.length).toBeGreaterThan(10);
  expect(listed.split(' · ')).toEqual(titles);

  const queries = Object.values<Resource>(resourcesOf(prod, 'AWS::Logs::QueryDefinition')).map(({ Properties }) =>
    String(Properties.Name).replace(/.*\//, ''),
  );
  const [, named = ''] = /Saved queries.*?: (.*)\./.exec(text) ?? [];
  expect([...named.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort()).toEqual(queries.sort());
});

test('docs/deploy.md lists every setting of a stage', () => {
  const [, body = ''] =
    /export interface StageSettings \{\n([\s\S]*?)^\}/m.exec(
      readFileSync('infra/settings/stage-settings.ts', 'utf8'),
    ) ?? [];
  const settings = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  const rows = [...section(readFileSync('docs/deploy.md', 'utf8'), 'Settings').matchAll(/^\| (`.+?`) \|/gm)];
  expect(settings.length).toBeGreaterThan(8);
  expect(rows.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name)).sort()).toEqual(
    settings.sort(),
  );
});
