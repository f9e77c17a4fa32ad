import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { localRun } from '../support/local-run.ts';

const readme = readFileSync('README.md', 'utf8');

/** What README types into a terminal, with what it shows as the result. */
const typed = [...readme.matchAll(/^```console\n\$ ([\s\S]*?[^\\])\n([\s\S]*?)^```$/gm)].map(
  ([, command = '', shown = '']) => ({ command, shown }),
);

test("README's curl commands print what README shows", async () => {
  const { baseUrl, apiKey } = await localRun();
  expect(typed).toHaveLength(2);
  for (const { command, shown } of typed) {
    const mine = command
      .replaceAll('http://127.0.0.1:3000/staging/v1', baseUrl)
      .replaceAll(/petstore_staging_\w+…/g, apiKey);
    expect(mine).toContain(`Bearer ${apiKey}`);
    const printed = execFileSync('sh', ['-c', mine.replace('curl ', 'curl --silent --show-error ')], {
      encoding: 'utf8',
    });
    // A list has no order.
    for (const entry of shown.match(/\{.*?\}/g) ?? ['no entry is shown']) {
      expect(printed).toContain(entry);
    }
  }
});
