import { chmodSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';

const project = join(import.meta.dirname, '../..');

/**
 * The part of lib-dynamodb that the functions use. esbuild would bundle the whole package, because
 * it does not declare that it has no side effects, and with it DynamoDBClient and all that this
 * needs: a quarter of a cold start.
 */
const documentCommands = '@aws-sdk/lib-dynamodb/dist-es/commands/index.js';

/** Parts of the SDK that are not bundled. */
const externalModules = ['@aws-sdk/credential-provider-node', '@smithy/core/event-streams'];

/** The bundling options of every function. */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // Bundles the SDK that the lockfile pins, from its ES modules, so that esbuild can drop the
  // unused parts.
  mainFields: ['module', 'main'],
  // CommonJS, because it loads faster than ESM: with CommonJS, Node does not load fetch when it
  // loads node:http.
  format: 'cjs',
  minify: true,
  // Each map is a file of its own. observability/log-fault.ts reads it when needed, Node would
  // at each cold start.
  sourcemap: 'external',
  sourcesContent: false,
  // Not reached by the functions. Only because other modules could import these at run time, esbuild
  // would wrap much of the SDK, which V8 then parses twice.
  external: externalModules,
  // If node_modules is a link, source maps name it all the same, and not the place it leads to.
  preserveSymlinks: true,
  alias: { '@aws-sdk/lib-dynamodb': documentCommands },
} satisfies BuildOptions;

/** The options of one function, whose file in functions/ is given without its extension. */
export const optionsFor = (entryPoint: string) => ({
  ...options,
  absWorkingDir: project,
  entryPoints: [`functions/${entryPoint}.ts`],
});

/**
 * Bundles a file of functions/, given without its extension, in memory: index.js and index.js.map.
 * So several bundles can be made before the first is written.
 * @throws Error with what esbuild says if it does not compile
 */
export const bundled = (entryPoint: string): OutputFile[] =>
  buildSync({
    ...optionsFor(entryPoint),
    // A source map names its sources relative to this. As if it were in the project, they are the
    // same wherever the bundle goes: else the same code would be deployed again.
    outfile: 'index.js',
    write: false,
    logLevel: 'silent',
  }).outputFiles;

/**
 * Writes a bundle to a directory. Lambda reads both as another user, who could not read what is
 * made under a umask such as 077.
 */
export const writeBundle = (directory: string, files: OutputFile[]): void => {
  for (const { path, contents } of files) {
    const file = join(directory, basename(path));
    writeFileSync(file, contents);
    chmodSync(file, 0o644);
  }
  // The CDK has let every user of this machine write to it.
  chmodSync(directory, 0o755);
};
