import { copyFileSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testGeneratedClient } from '../support/local/example.ts';
import { localRun } from '../support/local/local-run.ts';
import {
  cache,
  javaClassPath,
  npmPrograms,
  outputOf,
  project,
  pythonPrograms,
} from '../support/process/tools.ts';
import { assembly } from '../support/stack/assembly.ts';

const generated = join(cache, 'generated');
const runNpm = async (program: string, ...args: string[]) =>
  outputOf(join(await npmPrograms('test/peers'), program), ...args);
const runPython = async (program: string, ...args: string[]) =>
  outputOf(join(await pythonPrograms('test/peers'), program), ...args);
const runOpenapiGenerator = async (...args: string[]) => {
  const main = 'org.openapitools.codegen.OpenAPIGenerator';
  return outputOf(
    'java',
    '-cp',
    await javaClassPath('test/peers'),
    main,
    ...args,
    '-i',
    'openapi.yaml',
  );
};

test.each([
  ['openapi-typescript', 'openapi.yaml', '--output', join(generated, 'openapi-typescript.ts')],
  [
    'openapi-ts',
    '--input',
    'openapi.yaml',
    '--output',
    join(generated, 'hey-api'),
    '--no-log-file',
  ],
  ['orval', '--input', 'openapi.yaml', '--output', join(generated, 'orval.ts')],
])('%s generates a client without a warning', async (generator, ...options) => {
  expect(await runNpm(generator, ...options)).not.toMatch(/warn|error|⚠|❌|🛑/i);
});

test('Spectral finds no fault in openapi.yaml', async () => {
  const options = ['--ruleset', 'test/peers/.spectral.yaml', '--fail-severity', 'hint'];
  expect(await runNpm('spectral', 'lint', 'openapi.yaml', ...options)).toContain('No results');
});

test('cfn-lint finds no fault in either template', async () => {
  const templates = globSync(join(assembly, 'assembly-*/*.template.json'));
  expect(templates).toHaveLength(2);
  // W3005: CDK writes DependsOn even where a reference already sets the order.
  expect(await runPython('cfn-lint', '--ignore-checks', 'W3005', '--', ...templates)).toBe('');
});

test('Schemathesis finds no response that breaks the contract', async () => {
  const { baseUrl, apiKey } = await localRun();
  const target = ['openapi.yaml', '--url', baseUrl, '--header', `Authorization: Bearer ${apiKey}`];
  const options = [
    '--checks',
    'all',
    '--max-examples',
    '400',
    '--seed',
    '1',
    '--generation-database',
    ':memory:',
  ];
  const output = await runPython('schemathesis', 'run', ...target, ...options);
  const [, cases, passed] = /(\d+) generated, (\d+) passed/.exec(output) ?? [];
  // The number of cases that one seed generates depends on the port; runs have had 1,286 to 2,904.
  expect(Number(cases)).toBeGreaterThan(600);
  expect(passed).toBe(cases);
});

test("openapi-generator's validator finds no fault in openapi.yaml", async () => {
  expect(await runOpenapiGenerator('validate', '--recommend')).toContain(
    'No validation issues detected.',
  );
});

// Warnings that openapi-generator prints for every OpenAPI 3.1 document and every
// `additionalProperties: false`.
const usual = /OpenAPI 3\.1 support is still in beta|Failed to get the schema name: null/;

/**
 * Generates a client, expects no unusual warning from the generator, and returns the client's
 * directory.
 */
const generate = async (language: string, ...options: string[]): Promise<string> => {
  const directory = join(generated, language);
  const output = await runOpenapiGenerator('generate', '-g', language, '-o', directory, ...options);
  expect(
    output.split('\n').filter((line) => /\] (WARN|ERROR) /.test(line) && !usual.test(line)),
  ).toEqual([]);
  return directory;
};

testGeneratedClient("openapi-generator's Python client", async () => {
  const path = `PYTHONPATH=${await generate('python')}`;
  return [
    'env',
    path,
    join(await pythonPrograms('test/peers'), 'python'),
    'test/peers/set_quantity.py',
  ];
});

testGeneratedClient("openapi-generator's Go client", async () => {
  const directory = await generate('go');
  mkdirSync(join(directory, 'main'), { recursive: true });
  copyFileSync(join(project, 'test/peers/main.go'), join(directory, 'main/main.go'));
  await outputOf('go', '-C', directory, 'build', '-o', join(generated, 'set-quantity'), './main');
  return [join(generated, 'set-quantity')];
});

testGeneratedClient("openapi-generator's Java client", async () => {
  const sources = join(await generate('java', '--library', 'native'), 'src/main/java');
  const [classes, classPath] = [join(generated, 'classes'), await javaClassPath('test/peers')];
  await outputOf(
    'javac',
    '-d',
    classes,
    '-cp',
    classPath,
    '-sourcepath',
    sources,
    'test/peers/SetQuantity.java',
  );
  return ['java', '-cp', `${classes}:${classPath}`, 'SetQuantity'];
});
