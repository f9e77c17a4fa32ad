import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { npmPrograms } from '../../support/process/installs.ts';
import { cache, outputOf, project } from '../../support/process/tools.ts';

const folder = 'test/peers/generators';
const compiler = join(project, 'node_modules/.bin/tsc');
const strictly =
  '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler';
const contract = ['--input', 'openapi.yaml', '--output'];

beforeAll(() => npmPrograms(folder));

// The generated code is one file, or a directory if `file` is empty.
test.each([
  { name: 'openapi-typescript-7.13', options: ['openapi.yaml', '--output'], file: 'types.ts' },
  { name: 'orval-8', options: ['--client', 'fetch', ...contract], file: 'client.ts' },
  { name: '@hey-api/openapi-ts', options: ['--no-log-file', ...contract], file: '' },
])('$name generates code that compiles, without a warning', async ({ name, options, file }) => {
  const directory = join(cache, 'generated', name);
  rmSync(directory, { recursive: true, force: true });
  // Of two versions with the same program, npm links only one.
  const generator = join(project, folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(generator, 'package.json'), 'utf8'));
  const [program = ''] = typeof bin === 'string' ? [bin] : Object.values<string>(bin);
  const generate = [join(generator, program), ...options, join(directory, file)];
  expect(await outputOf(process.execPath, ...generate)).not.toMatch(/warn|error|⚠|❌|🛑/i);

  const sources = globSync('**/*.ts', { cwd: directory }).map((file) => join(directory, file));
  expect(sources.length).toBeGreaterThan(0);
  await outputOf(compiler, ...strictly.split(' '), ...sources);
});
