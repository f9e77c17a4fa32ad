import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Program } from '../../support/clients/program.ts';
import { testRightPet } from '../../support/clients/right-pet.ts';
import { javaClassPath, javaProgram, pythonPrograms } from '../../support/process/installs.ts';
import { cache, outputOf } from '../../support/process/tools.ts';

// A client of each family of languages: Python for those without types, Java for those with them. That
// of TypeScript is in typescript.peers.ts.
const folder = 'test/peers/generators';
const version = '7.25.0';

const openapiGenerator = async (command: string, ...options: string[]) => {
  const coordinates = `org.openapitools:openapi-generator-cli:${version}`;
  const jar = await javaProgram(coordinates, join(cache, 'openapi-generator'));
  return outputOf('java', '-jar', jar, command, '-i', 'openapi.yaml', ...options);
};

// A warning that openapi-generator prints for every `additionalProperties: false`.
const usual = /Failed to get the schema name: null/;

/**
 * Generates a client, expects no unusual warning from the generator, and returns the client's
 * directory.
 */
const generate = async (language: string, ...options: string[]): Promise<string> => {
  const directory = join(cache, 'generated/openapi-generator', version, language);
  rmSync(directory, { recursive: true, force: true });
  const target = ['-g', language, '-o', directory];
  const output = await openapiGenerator('generate', ...target, ...options);
  const warnings = output.split('\n').filter((line) => /\] (WARN|ERROR) /.test(line));
  expect(warnings.filter((line) => !usual.test(line))).toStrictEqual([]);
  return directory;
};

const pythonClient = async (): Promise<Program> => {
  const directory = await generate('python');
  const python = join(await pythonPrograms(folder), 'python');
  return ['env', `PYTHONPATH=${directory}`, python, `${folder}/set_quantity.py`];
};

const javaClient = async (): Promise<Program> => {
  const directory = await generate('java', '--library', 'native');
  const libraries = await javaClassPath(join(directory, 'pom.xml'), join(directory, 'jars'));
  const classes = join(directory, 'classes');
  const sources = join(directory, 'src/main/java');
  const options = ['-d', classes, '-cp', libraries, '-sourcepath', sources];
  await outputOf('javac', ...options, `${folder}/SetQuantity.java`);
  return ['java', '-cp', `${classes}:${libraries}`, 'SetQuantity'];
};

test('openapi-generator finds no fault in openapi.yaml', async () => {
  const output = await openapiGenerator('validate', '--recommend');
  expect(output).toContain('No validation issues detected.');
});

testRightPet('the Python client of openapi-generator', pythonClient, { isConditional: true });
testRightPet('the Java client of openapi-generator', javaClient, { isConditional: true });
