/**
 * npm run charts: renders the charts and tables of docs/performance.md from bench/results/. With
 * --check, it changes nothing and names the files that would change.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { coldStartChart, coldStartTable } from './cold-starts.ts';
import { listCpuChart, listMemoryChart, listTable } from './lists.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const root = join(import.meta.dirname, '../..');
const page = 'docs/performance.md';
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns a text with other content between the two comments that name a table. */
const withTable = (text: string, name: string, table: string): string => {
  const [begin, end] = [`<!-- ${name}: npm run charts -->\n`, `<!-- end of ${name} -->\n`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`${page} lacks the comments around the table of ${name}.`);
  }
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
};

const withColdStarts = withTable(textOf(page), 'cold starts', coldStartTable);
const files = [
  { file: 'docs/charts/cold-starts.svg', content: coldStartChart },
  { file: 'docs/charts/list-cpu.svg', content: listCpuChart },
  { file: 'docs/charts/list-memory.svg', content: listMemoryChart },
  { file: page, content: withTable(withColdStarts, 'lists', listTable) },
];

const changed = files.filter(
  ({ file, content }) => !existsSync(join(root, file)) || textOf(file) !== content,
);
for (const { file, content } of changed) {
  if (values.check) {
    console.log(`${file} is not what npm run charts makes of bench/results/.`);
  } else {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
}
process.exitCode = values.check && changed.length > 0 ? 1 : 0;
