import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { outputOf } from '../support/process/tools.ts';

/** The programs in docs/wrong-pet.md: one rounds a petId, the other reads and writes it exactly. */
const [wrong = '', exact = ''] = [
  ...readFileSync('docs/wrong-pet.md', 'utf8').matchAll(/^```javascript\n([\s\S]*?)^```$/gm),
].map(([, block = '']) => block);

const evaluate = (program: string) =>
  outputOf(process.execPath, '--input-type', 'module', '--eval', program);

test('the first program in docs/wrong-pet.md updates the wrong pet, as the page says', async () => {
  const setUp = `const baseUrl = '', headers = {};
    const fetch = (url, { body }) => console.log(url, body);`;
  expect(await evaluate(setUp + wrong)).toBe('/inventory/9007199254740992 {"quantity":7}\n');
  expect(wrong).toContain('// 200 {"petId":9007199254740992,"quantity":7,');
});

test('the second program in docs/wrong-pet.md reads and writes a petId exactly', async () => {
  const entry = '{"petId":9007199254740993,"quantity":9007199254740991,"status":"available"}';
  const roundTrip = `console.log(stringify(parse('${entry}')));`;
  expect(await evaluate(exact + roundTrip)).toBe(`${entry}\n`);
});

test('the sample stock has the pet whose id a client may round, and not the pet beside it', () => {
  const petIds = readFileSync('ops/sample-inventory.csv', 'utf8').match(/^-?\d+/gm) ?? [];
  expect(petIds).toContain('9007199254740993');
  expect(petIds).not.toContain('9007199254740992');
});
