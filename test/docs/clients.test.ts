import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { localRun } from '../support/local/local-run.ts';
import { outputOf } from '../support/process/tools.ts';

const page = readFileSync('docs/clients.md', 'utf8');

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

test('the TypeScript in docs/clients.md is part of the TypeScript example', () => {
  const program = readFileSync('examples/typescript/set-quantity.ts', 'utf8');
  expect(blocks('ts')).toHaveLength(2);
  expect(blocks('ts').filter((block) => !program.includes(block))).toEqual([]);
});

test('the first JavaScript program in docs/clients.md updates the wrong pet, as the page says', async () => {
  const [wrong = ''] = blocks('javascript');
  const program = `const baseUrl = '', headers = {}; const fetch = (url, { body }) => console.log(url, body); ${wrong}`;
  const shown = outputOf(process.execPath, '--input-type', 'module', '--eval', program);
  expect(await shown).toBe('/inventory/9007199254740992 {"quantity":7}\n');
  expect(wrong).toContain('// 200 {"petId":9007199254740992,"quantity":7,');
});

test('docs/clients.md has a section for each language that has an example', () => {
  const directories = globSync('examples/*/').map((path) => path.replace(/^examples\/|\/$/g, ''));
  const headings = [...page.matchAll(/^## (\w+)/gm)].map(([, heading = '']) =>
    heading.toLowerCase(),
  );
  expect(directories.sort()).toEqual(['curl', 'go', 'java', 'javascript', 'python', 'typescript']);
  expect(headings).toEqual(expect.arrayContaining(directories));
});

/** The commands in README's console blocks, each with the output that README shows for it. */
const typed = [
  ...readFileSync('README.md', 'utf8').matchAll(
    /^```console\n\$ ([\s\S]*?[^\\])\n([\s\S]*?)^```$/gm,
  ),
] as unknown as [string, command: string, shown: string][];

test("README's curl commands print what README shows", async () => {
  const { baseUrl, apiKey } = await localRun();
  expect(typed).toHaveLength(2);
  for (const [, command, shown] of typed) {
    const mine = command
      .replaceAll('http://127.0.0.1:3000/staging/v1', baseUrl)
      .replaceAll(/petstore_staging_\w+…/g, apiKey);
    expect(mine).toContain(`Bearer ${apiKey}`);
    const printed = await outputOf(
      'sh',
      '-c',
      mine.replace('curl ', 'curl --silent --show-error '),
    );
    // The service lists the entries in any order.
    for (const entry of shown.match(/\{.*?\}/g) ?? ['no entry is shown']) {
      expect(printed).toContain(entry);
    }
  }
});
