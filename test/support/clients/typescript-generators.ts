import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { npmPrograms } from '../process/installs.ts';
import { cache, outputOf, project } from '../process/tools.ts';

const folder = 'test/peers/generators';

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

interface Generator {
  /** The name in package.json. */
  name: string;
  options: string[];
  /** The file to generate; '' for a directory. */
  file: string;
}

/** Tests that generators make code which compiles, without a warning. */
export const testTypescriptGenerators = (generators: Generator[]): void => {
  beforeAll(() => npmPrograms(folder));

  test.each(generators)('$name generates code that compiles, without a warning', async (each) => {
    const directory = join(cache, 'generated', each.name);
    rmSync(directory, { recursive: true, force: true });
    const output = await run(each.name, ...each.options, join(directory, each.file));
    expect(output).not.toMatch(/warn|error|⚠|❌|🛑/i);

    const sources = globSync(join(directory, '**/*.ts'));
    await outputOf(compiler, ...strictly.split(' '), ...sources);
  });
};
