import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { npmPrograms } from '../../support/process/installs.ts';
import { cache, outputOf, project } from '../../support/process/tools.ts';

const folder = 'test/peers/generators';

beforeAll(() => npmPrograms(folder));

const compiler = join(project, 'node_modules/.bin/tsc');
const strictly =
  '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler';

/** Runs the program of a package. Of two versions with the same program, npm links only one. */
const run = (packageName: string, ...options: string[]): Promise<string> => {
  const directory = join(project, folder, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const [program] = typeof bin === 'string' ? [bin] : Object.values<string>(bin);
  return outputOf(process.execPath, join(directory, program ?? ''), ...options);
};

const contract = ['--input', 'openapi.yaml', '--output'];

test.each([
  { name: 'openapi-typescript-7.4', options: ['openapi.yaml', '--output'], file: 'types.ts' },
  { name: 'openapi-typescript-7.13', options: ['openapi.yaml', '--output'], file: 'types.ts' },
  { name: 'orval-7', options: ['--client', 'fetch', ...contract], file: 'client.ts' },
  { name: 'orval-8', options: ['--client', 'fetch', ...contract], file: 'client.ts' },
  { name: '@hey-api/openapi-ts', options: ['--no-log-file', ...contract], file: '' },
])('$name generates code that compiles, without a warning', async ({ name, options, file }) => {
  const directory = join(cache, 'generated', name);
  rmSync(directory, { recursive: true, force: true });
  expect(await run(name, ...options, join(directory, file))).not.toMatch(/warn|error|⚠|❌|🛑/i);

  const sources = globSync(join(directory, '**/*.ts'));
  await outputOf(compiler, ...strictly.split(' '), ...sources);
});
