import { globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { pythonPrograms } from '../../support/process/installs.ts';
import { outputOf } from '../../support/process/tools.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { everySetting } from '../../support/stack/every-setting.ts';
import { templateOf } from '../../support/stack/in-process.ts';

const runPython = async (program: string, ...args: string[]) =>
  outputOf(join(await pythonPrograms('test/nightly/peers'), program), ...args);

test('cfn-lint finds no fault in either template, nor in one with every setting', async () => {
  const both = globSync('assembly-*/*.template.json', { cwd: assembly });
  expect(both).toHaveLength(2);
  const withEverySetting = join(mkdtempSync(join(tmpdir(), 'template-')), 'template.json');
  writeFileSync(withEverySetting, JSON.stringify(templateOf('prod', everySetting)));
  const templates = [...both.map((file) => join(assembly, file)), withEverySetting];
  // W3005: CDK writes DependsOn even where a reference already sets the order.
  expect(await runPython('cfn-lint', '--ignore-checks', 'W3005', '--', ...templates)).toBe('');
});

test('Schemathesis finds no response that breaks the contract', async () => {
  const { baseUrl, apiKey } = await localRun();
  const target = ['openapi.yaml', '--url', baseUrl, '--header', `Authorization: Bearer ${apiKey}`];
  const config = ['--config-file', 'test/nightly/peers/schemathesis.toml'];
  const options = ['--max-examples', '400', '--seed', '1', '--generation-database', ':memory:'];
  const output = await runPython('schemathesis', ...config, 'run', ...target, ...options);
  const [, cases, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
  // The number of cases that one seed generates depends on the port; runs have had 549 to 2,904.
  expect(Number(cases)).toBeGreaterThan(300);
  expect(passed).toBe(cases);
});
