import { expect, test } from '@jest/globals';
import { blocksOf, textOf } from '../support/docs/markdown.ts';
import { startRun } from '../support/local/local-run.ts';
import { outputOf } from '../support/process/tools.ts';

/** On a screen, curl shows no progress. It does when its output goes elsewhere. */
const asOnScreen = 'curl() { command curl --no-progress-meter "$@"; }';

test("README's list has pet 1, and its update gets the response that README shows", async () => {
  const readme = textOf('README.md');
  const requests = blocksOf(readme, 'sh').filter((block) => block.includes('$PETSTORE_BASE_URL'));
  const { baseUrl } = await startRun();
  const pasted = [asOnScreen, ...requests].join('\necho\n');
  const commands = pasted.replace('127.0.0.1:3000', new URL(baseUrl).host);
  const [list = '', update] = (await outputOf('sh', '-c', commands)).trim().split('\n');
  expect(JSON.parse(list)).toContainEqual({ petId: 1, quantity: 12, status: 'available' });
  expect([`${update}\n`]).toStrictEqual(blocksOf(readme, 'json'));
});
