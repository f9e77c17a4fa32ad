import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { javaClassPath, javaProgram, pythonPrograms } from '../process/installs.ts';
import { cache, outputOf, project } from '../process/tools.ts';
import type { Program } from './program.ts';
import { testRightPet } from './right-pet.ts';

const folder = 'test/peers/generators';

const openapiGenerator = async (version: string, command: string, ...options: string[]) => {
  const coordinates = `org.openapitools:openapi-generator-cli:${version}`;
  const jar = await javaProgram(coordinates, join(cache, 'openapi-generator'));
  return outputOf('java', '-jar', jar, command, '-i', 'openapi.yaml', ...options);
};

// Warnings that openapi-generator prints for every OpenAPI 3.1 document and every
// `additionalProperties: false`.
const usual = /OpenAPI 3\.1 support is still in beta|Failed to get the schema name: null/;

/**
 * Generates a client, expects no unusual warning from the generator, and returns the client's
 * directory.
 */
const generate = async (
  version: string,
  language: string,
  ...options: string[]
): Promise<string> => {
  const directory = join(cache, 'generated/openapi-generator', version, language);
  rmSync(directory, { recursive: true, force: true });
  const target = ['-g', language, '-o', directory];
  const output = await openapiGenerator(version, 'generate', ...target, ...options);
  const warnings = output.split('\n').filter((line) => /\] (WARN|ERROR) /.test(line));
  expect(warnings.filter((line) => !usual.test(line))).toStrictEqual([]);
  return directory;
};

const pythonClient = async (version: string): Promise<Program> => {
  const directory = await generate(version, 'python');
  const python = join(await pythonPrograms(folder), 'python');
  return ['env', `PYTHONPATH=${directory}`, python, `${folder}/set_quantity.py`];
};

const goClient = async (version: string): Promise<Program> => {
  const directory = await generate(version, 'go');
  const program = join(directory, 'set-quantity');
  mkdirSync(join(directory, 'main'));
  copyFileSync(join(project, folder, 'main.go'), join(directory, 'main/main.go'));
  await outputOf('go', '-C', directory, 'build', '-o', program, './main');
  return [program];
};

const javaClient = async (version: string): Promise<Program> => {
  const directory = await generate(version, 'java', '--library', 'native');
  const libraries = await javaClassPath(join(directory, 'pom.xml'), join(directory, 'jars'));
  const classes = join(directory, 'classes');
  const sources = join(directory, 'src/main/java');
  const options = ['-d', classes, '-cp', libraries, '-sourcepath', sources];
  await outputOf('javac', ...options, `${folder}/SetQuantity.java`);
  return ['java', '-cp', `${classes}:${libraries}`, 'SetQuantity'];
};

/**
 * Tests that a version of openapi-generator finds no fault in openapi.yaml, and that the clients
 * which it generates change the right pet.
 */
export const testOpenapiGenerator = (version: string): void =>
  describe(`openapi-generator ${version}`, () => {
    test('finds no fault', async () => {
      const output = await openapiGenerator(version, 'validate', '--recommend');
      expect(output).toContain('No validation issues detected.');
    });
    testRightPet('the Python client', () => pythonClient(version));
    testRightPet('the Go client', () => goClient(version));
    testRightPet('the Java client', () => javaClient(version));
  });
