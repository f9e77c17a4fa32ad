import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { npmPrograms } from '../../support/process/installs.ts';
import { cache, outputOf, project } from '../../support/process/tools.ts';

const compiler = join(project, 'node_modules/.bin/tsc');
const strictly =
  '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler';

test('@hey-api/openapi-ts generates code that compiles, without a warning', async () => {
  const directory = join(cache, 'generated/hey-api');
  rmSync(directory, { recursive: true, force: true });
  const generator = join(await npmPrograms('test/peers/generators'), 'openapi-ts');
  const options = ['--no-log-file', '--input', 'openapi.yaml', '--output', directory];
  expect(await outputOf(generator, ...options)).not.toMatch(/warn|error|⚠|❌|🛑/i);

  const sources = globSync('**/*.ts', { cwd: directory }).map((file) => join(directory, file));
  expect(sources.length).toBeGreaterThan(0);
  await outputOf(compiler, ...strictly.split(' '), ...sources);
});
