import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { faultyProxy } from '../../../support/clients/faulty-proxy.ts';
import { type LocalRun, localRun } from '../../../support/local/local-run.ts';
import { pythonPrograms } from '../../../support/process/installs.ts';
import { cache, outputOf, runProgram } from '../../../support/process/tools.ts';

// A client of each family of languages: Python for those without types, Java for those with them.
const folder = 'test/nightly/peers/generators';
const version = '7.25.0';

/** Copies packages to a directory. */
const copy = (goal: string, directory: string, ...options: string[]): Promise<string> => {
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
  const target = `-DoutputDirectory=${directory}`;
  return outputOf('mvn', '--quiet', '--batch-mode', `${plugin}:${goal}`, target, ...options);
};

const programs = join(cache, 'openapi-generator');
const jar = join(programs, `openapi-generator-cli-${version}.jar`);

const openapiGenerator = (command: string, ...options: string[]): Promise<string> =>
  outputOf('java', '-jar', jar, command, '-i', 'openapi.yaml', ...options);

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

const pythonClient = async (): Promise<string[]> => {
  const directory = await generate('python');
  const python = join(await pythonPrograms(folder), 'python');
  return ['env', `PYTHONPATH=${directory}`, python, `${folder}/set_quantity.py`];
};

const javaClient = async (): Promise<string[]> => {
  const directory = await generate('java', '--library', 'native');
  const jars = join(directory, 'jars');
  const pom = ['--file', join(directory, 'pom.xml'), '-DincludeScope=compile'];
  await copy('copy-dependencies', jars, ...pom);
  const libraries = `${jars}/*`;
  const classes = join(directory, 'classes');
  const sources = join(directory, 'src/main/java');
  const options = ['-d', classes, '-cp', libraries, '-sourcepath', sources];
  await outputOf('javac', ...options, `${folder}/SetQuantity.java`);
  return ['java', '-cp', `${classes}:${libraries}`, 'SetQuantity'];
};

let run: LocalRun;

beforeAll(async () => {
  await copy('copy', programs, `-Dartifact=org.openapitools:openapi-generator-cli:${version}`);
  run = await localRun();
});

test('openapi-generator finds no fault in openapi.yaml', async () => {
  const output = await openapiGenerator('validate', '--recommend');
  expect(output).toContain('No validation issues detected.');
});

/** petIds that a client may round, the fourth of them to the third. */
const petIds = [
  '-9223372036854775808',
  '9223372036854775807',
  '9007199254740992',
  '9007199254740993',
];

test.each([
  { language: 'Python', prepare: pythonClient },
  { language: 'Java', prepare: javaClient },
])(
  'a $language client lists exact petIds, and updates one under a condition',
  async ({ prepare }) => {
    const [command = '', ...args] = await prepare();
    const { client, inventory } = run.tables;
    const { baseUrl, updates } = await faultyProxy(run.baseUrl);
    const env = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: run.apiKey };
    for (const petId of petIds) {
      const Item = { petId: { N: petId }, quantity: { N: '12' }, status: { S: 'available' } };
      await client.putItem({ TableName: inventory, Item });
      const { code, output, errors } = await runProgram(command, [...args, petId, '7'], env);
      expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
      // What the service has updated.
      expect(output).toMatch(new RegExp(`"petId": ?${petId},`));
    }
    const update = { ifMatch: '"12-available"', key: expect.any(String), quantity: 7, status: 200 };
    expect(updates).toStrictEqual(petIds.map(() => update));
  },
);
