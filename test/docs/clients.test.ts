import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { outputOf } from '../support/tools.ts';

const page = readFileSync('docs/clients.md', 'utf8');

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

test('docs/clients.md shows TypeScript that its example has', () => {
  const program = readFileSync('examples/typescript/set-quantity.ts', 'utf8');
  expect(blocks('ts')).toHaveLength(2);
  expect(blocks('ts').filter((block) => !program.includes(block))).toEqual([]);
});

test('docs/clients.md shows the request that changes the wrong pet, and no other', async () => {
  const [wrong = ''] = blocks('javascript');
  const program = `const baseUrl = '', headers = {}; const fetch = (url, { body }) => console.log(url, body); ${wrong}`;
  const shown = outputOf(process.execPath, '--input-type', 'module', '--eval', program);
  expect(await shown).toBe('/inventory/9007199254740992 {"quantity":7}\n');
  expect(wrong).toContain('// 200 {"petId":9007199254740992,"quantity":7,');
});

test('docs/clients.md has a section and a program for each language', () => {
  const directories = globSync('examples/*/').map((path) => path.replace(/^examples\/|\/$/g, ''));
  const headings = [...page.matchAll(/^## (\w+)/gm)].map(([, heading = '']) => heading.toLowerCase());
  expect(directories.sort()).toEqual(['curl', 'go', 'java', 'javascript', 'python', 'typescript']);
  expect(headings).toEqual(expect.arrayContaining(directories));
});
