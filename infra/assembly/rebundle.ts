/**
 * A program that makes the bundles of a cloud assembly anew from functions/, where they are:
 *
 *     node infra/assembly/rebundle.ts ASSEMBLY [--debug]
 *
 * It is a process of its own so that it always reads the newest bundling options. With --debug, the
 * bundles are not minified, and their source maps lead debuggers to the sources.
 */
import { exec } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type BuildFailure, build, formatMessages } from 'esbuild';
import { bundling } from '../lambda/bundling.ts';
import { authorizer, operations } from '../service/operations.ts';
import { esbuildOptions } from './esbuild-options.ts';

const project = join(import.meta.dirname, '../..');
const entryPoints = [authorizer, ...operations].map(
  ({ entryPoint }) => `functions/${entryPoint}.ts`,
);

const [, , assembly = '', mode] = process.argv;
const isDebug = mode === '--debug';

const rebundle = async (directory: string): Promise<void> => {
  await build({
    ...esbuildOptions(),
    ...(isDebug && { minify: false, sourcemap: 'linked' }),
    absWorkingDir: project,
    entryPoints: [entryPointOf(directory)],
    outfile: join(directory, 'index.js'),
    logLevel: 'silent',
  });
  const commands = bundling.commandHooks?.afterBundling(project, directory) ?? [];
  for (const command of commands) {
    await promisify(exec)(command, { cwd: project });
  }
  if (isDebug) {
    nameSources(join(directory, 'index.js.map'));
  }
};

/** Returns the entry point that a bundle was made from, which its source map names. */
const entryPointOf = (directory: string): string => {
  const { sources } = JSON.parse(readFileSync(join(directory, 'index.js.map'), 'utf8'));
  const entryPoint = entryPoints.find((path) => sources.includes(path));
  if (entryPoint === undefined) {
    throw new Error(`${directory} is no bundle of ${entryPoints.join(', ')}.`);
  }
  return entryPoint;
};

/** Adds to a source map where the sources are, which it names by their paths in the project. */
const nameSources = (path: string): void => {
  const map = JSON.parse(readFileSync(path, 'utf8'));
  const sourceRoot = `${pathToFileURL(project)}/`;
  writeFileSync(path, JSON.stringify({ ...map, sourceRoot }));
};

const describe = async (error: Partial<BuildFailure>): Promise<string> => {
  const lines = await formatMessages(error.errors ?? [], { kind: 'error' });
  return lines.join('') || String(error);
};

const bundles = globSync('asset.*/index.js.map', { cwd: assembly }).map((map) =>
  join(assembly, dirname(map)),
);
try {
  await Promise.all(bundles.map(rebundle));
} catch (error) {
  console.error(await describe(error as Partial<BuildFailure>));
  process.exitCode = 1;
}
