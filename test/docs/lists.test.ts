import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { propertiesOf, readable, templates } from '../support/synthesized.ts';

const prod = readable(templates.prod);
const of = (type: string) => Object.values(propertiesOf(prod, type));

const section = (file: string, title: string): string =>
  new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? '';

test('docs/operations.md lists every alarm of a stage', () => {
  const rows = section('docs/operations.md', 'Alarms').matchAll(/^\| (\w+(?:, \w+)*) \| [^|]+ \| \d.*min \|$/gm);
  const listed = [...rows].flatMap(([, names = '']) => names.split(', '));
  const alarms = of('AWS::CloudWatch::Alarm').flatMap(
    ({ AlarmDescription }) => AlarmDescription.match(/(?<=See )\w+(?= in)/g) ?? [],
  );
  expect(alarms.length).toBeGreaterThan(10);
  expect(listed.sort()).toEqual(alarms.sort());
});

test('docs/operations.md lists every widget of the dashboard in order, and every saved query', () => {
  const text = section('docs/operations.md', 'Dashboard and saved queries').replaceAll('\n', ' ');
  const [{ DashboardBody } = {}] = of('AWS::CloudWatch::Dashboard');
  const titles = DashboardBody.match(/(?<="title":")[^"]+/g);
  expect(titles.length).toBeGreaterThan(10);
  expect(text).toContain(`from the top: ${titles.join(' · ')} · the names of the saved queries.`);

  const queries = of('AWS::Logs::QueryDefinition').map(({ Name }) => Name.replace(/.*\//, ''));
  const [, named = ''] = /Saved queries.*?: (.*)\./.exec(text) ?? [];
  expect(named.match(/(?<=`)[\w-]+(?=`)/g)?.sort()).toEqual(queries.sort());
});

test('docs/deploy.md lists every setting of a stage', () => {
  const source = readFileSync('infra/settings/stage-settings.ts', 'utf8').replace(
    /.*export interface StageSettings/s,
    '',
  );
  const settings = source.match(/(?<=^ {2})\w+(?=\??:)/gm) ?? [];
  const rows = section('docs/deploy.md', 'Settings').match(/^\| `.+?` \|/gm) ?? [];
  const listed = rows.flatMap((row) => row.match(/(?<=`)\w+(?=`)/g) ?? []);
  expect(settings.length).toBeGreaterThan(8);
  expect(listed.sort()).toEqual(settings.sort());
});
