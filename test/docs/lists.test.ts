import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { stackOf } from '../support/stack/synthesized.ts';
import { kinds } from '../system/faults/kinds.ts';

const { all } = stackOf('prod');

const section = (file: string, title: string): string =>
  new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(
    readFileSync(file, 'utf8'),
  )?.[1] ?? '';

test('docs/monitoring.md lists every saved query', () => {
  const listed = section('docs/monitoring.md', 'Saved queries').match(/(?<=^- `)[\w-]+(?=`:)/gm);
  const queries = all('AWS::Logs::QueryDefinition').map(({ Name }) => Name.replace(/.*\//, ''));
  expect(queries.length).toBeGreaterThan(5);
  expect(listed?.sort()).toEqual(queries.sort());
});

test('docs/monitoring.md lists every metric that log lines carry', () => {
  const source = readFileSync('functions/observability/metrics.ts', 'utf8');
  const [, counts = ''] = /type Counts = Partial<\s*Record<([^,]+),/.exec(source) ?? [];
  const metrics = counts.match(/\w+/g) ?? [];
  const items = section('docs/monitoring.md', 'Metrics').match(/^- `.*?:/gm) ?? [];
  const listed = items.flatMap((item) => item.match(/(?<=`)\w+(?=`)/g) ?? []);
  expect(metrics.length).toBeGreaterThan(4);
  expect(listed.sort()).toEqual(metrics.sort());
});

test('docs/settings.md lists every setting of a stage', () => {
  const source = readFileSync('infra/settings/stage-settings.ts', 'utf8').split(
    'export interface StageSettings',
  )[1];
  const settings = source?.match(/(?<=^ {2})\w+(?=\??:)/gm) ?? [];
  const rows = readFileSync('docs/settings.md', 'utf8').matchAll(/^\| `(\w+)[\w.]*` \|/gm);
  const listed = new Set([...rows].map(([, setting]) => setting));
  expect(settings.length).toBeGreaterThan(8);
  expect([...listed].sort()).toEqual(settings.sort());
});

test('docs/reliability.md lists the faults that the stock SDK would not survive', () => {
  const listed = section('docs/reliability.md', 'What only our DynamoDB client survives').matchAll(
    /\*([^*]+)\*/g,
  );
  const kept = kinds.filter(({ notOnStockSdk }) => notOnStockSdk).map(({ name }) => name);
  expect([...listed].map(([, name]) => name?.replace('\n', ' ')).sort()).toEqual(kept.sort());
});
