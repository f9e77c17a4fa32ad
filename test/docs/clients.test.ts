import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { localRun } from '../support/local/local-run.ts';
import { outputOf } from '../support/process/tools.ts';

/** The programs in docs/clients.md: one rounds a petId, the other reads and writes it exactly. */
const [wrong = '', exact = ''] = [
  ...readFileSync('docs/clients.md', 'utf8').matchAll(/^```javascript\n([\s\S]*?)^```$/gm),
].map(([, block = '']) => block);

const evaluate = (program: string) =>
  outputOf(process.execPath, '--input-type', 'module', '--eval', program);

test('the first program in docs/clients.md updates the wrong pet, as the page says', async () => {
  const setUp = `const baseUrl = '', headers = {};
    const fetch = (url, { body }) => console.log(url, body);`;
  expect(await evaluate(setUp + wrong)).toBe('/inventory/9007199254740992 {"quantity":7}\n');
  expect(wrong).toContain('// 200 {"petId":9007199254740992,"quantity":7,');
});

test('the second program in docs/clients.md reads and writes a petId exactly', async () => {
  const entry = '{"petId":9007199254740993,"quantity":9007199254740991,"status":"available"}';
  const roundTrip = `console.log(stringify(parse('${entry}')));`;
  expect(await evaluate(exact + roundTrip)).toBe(`${entry}\n`);
});

/** The commands in README's console blocks, each with the output that README shows for it. */
const typed = [
  ...readFileSync('README.md', 'utf8').matchAll(
    /^```console\n\$ ([\s\S]*?[^\\])\n([\s\S]*?)^```$/gm,
  ),
] as unknown as [string, command: string, shown: string][];

test("README's curl commands print what README shows", async () => {
  const { baseUrl, apiKey } = await localRun();
  expect(typed).not.toEqual([]);
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
