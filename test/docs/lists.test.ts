import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import { stackOf } from '../support/stack/synthesized.ts';
import { kinds } from '../system/faults/kinds.ts';

const { all } = stackOf('prod');

const section = (file: string, title: string): string =>
  new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(
    readFileSync(file, 'utf8'),
  )?.[1] ?? '';

test('docs/operations.md and docs/runbook.md list every alarm of a stage', () => {
  const alarms = all('AWS::CloudWatch::Alarm').flatMap(
    ({ AlarmDescription }) => AlarmDescription.match(/(?<=See )\w+(?= in)/g) ?? [],
  );
  const rows = section('docs/operations.md', 'Alarms').matchAll(
    /^\| (\w+(?:, \w+)*) \| [^|]+ \| \d.*min \|$/gm,
  );
  const headings = readFileSync('docs/runbook.md', 'utf8').matchAll(/^### (.+)$/gm);
  expect(alarms.length).toBeGreaterThan(10);
  for (const lists of [rows, headings]) {
    expect([...lists].flatMap(([, names = '']) => names.split(', ')).sort()).toEqual(
      alarms.toSorted(),
    );
  }
});

test('docs/operations.md lists every saved query', () => {
  const text = section('docs/operations.md', 'Dashboard and saved queries').replaceAll('\n', ' ');
  const queries = all('AWS::Logs::QueryDefinition').map(({ Name }) => Name.replace(/.*\//, ''));
  const [, named = ''] = /Saved queries.*?: (.*?)\./.exec(text) ?? [];
  expect(queries.length).toBeGreaterThan(5);
  expect(named.match(/(?<=`)[\w-]+(?=`)/g)?.sort()).toEqual(queries.sort());
});

test('docs/deploy.md lists every setting of a stage', () => {
  const source = readFileSync('infra/settings/stage-settings.ts', 'utf8').split(
    'export interface StageSettings',
  )[1];
  const settings = source?.match(/(?<=^ {2})\w+(?=\??:)/gm) ?? [];
  const rows = section('docs/deploy.md', 'Settings').match(/^\| `.+?` \|/gm) ?? [];
  const listed = rows.flatMap((row) => row.match(/(?<=`)\w+(?=`)/g) ?? []);
  expect(settings.length).toBeGreaterThan(8);
  expect(listed.sort()).toEqual(settings.sort());
});

test('docs/reliability.md lists the faults that the stock SDK would not survive', () => {
  const listed = section('docs/reliability.md', 'What only our DynamoDB client survives').matchAll(
    /\*([^*]+)\*/g,
  );
  const kept = kinds.filter(({ notOnStockSdk }) => notOnStockSdk).map(({ name }) => name);
  expect([...listed].map(([, name]) => name?.replace('\n', ' ')).sort()).toEqual(kept.sort());
});

test('docs/api.md lists every code with its status', () => {
  const rows = readFileSync('docs/api.md', 'utf8').matchAll(
    /^\| `(\w+)` \| (\d{3}) \| .+ \| .+ \|$/gm,
  );
  expect(Object.fromEntries([...rows].map(([, code, status]) => [code, Number(status)]))).toEqual(
    statusOfCode,
  );
});
