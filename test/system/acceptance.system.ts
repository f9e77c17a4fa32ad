import { expect, test } from '@jest/globals';
import { localRun } from '../support/local/local-run.ts';
import { runProgram } from '../support/process/tools.ts';

test('npm run acceptance finds that a local run keeps the contract, and changes two pets', async () => {
  const { baseUrl, apiKey, send } = await localRun();
  const entries = async () => {
    const { text } = await send({ path: '/inventory' });
    return text.match(/\{.*?\}/g)?.toSorted() ?? [];
  };
  const before = await entries();
  const variables = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey };
  const { code, output, errors } = await runProgram('npm', ['run', 'acceptance'], variables);
  expect({ code, ...(code !== 0 && { output, errors }) }).toStrictEqual({ code: 0 });
  const after = await entries();
  const changed = before.filter((entry) => !after.includes(entry));
  const petIds = changed.map((entry) => /-?\d+/.exec(entry)?.[0]);
  expect(petIds).toStrictEqual(['-9223372036854775808', '9223372036854775807']);
  expect(after).toHaveLength(before.length);
});
