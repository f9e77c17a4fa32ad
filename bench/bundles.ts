import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { documentCommands, externalModules } from '../infra/lambda/bundling.ts';

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  logLevel: 'error',
};

/**
 * The defaults of CDK's NodejsFunction: CommonJS output, without the SDK, which the runtime
 * provides.
 */
export const cdkDefault: BuildOptions = {
  ...common,
  format: 'cjs',
  external: ['@aws-sdk/*', '@smithy/*'],
};

/** ES module output with the SDK bundled from its ES modules, minified. */
export const esm: BuildOptions = {
  ...common,
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  outExtension: { '.js': '.mjs' },
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
};

/** CommonJS output with the SDK bundled from its ES modules, minified. */
export const commonjs: BuildOptions = {
  ...common,
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
};

/** As the service is bundled: CommonJS output without the unused parts of the SDK, minified. */
export const ours: BuildOptions = {
  ...commonjs,
  alias: { '@aws-sdk/lib-dynamodb': documentCommands },
  external: externalModules,
};

/** Bundles one file of this project in place of another. Both paths are relative to bench/. */
const replacing = (original: string, replacement: string): Plugin => ({
  name: 'replacing',
  setup: ({ onLoad, onEnd }) => {
    let replaced = false;
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path !== join(import.meta.dirname, original)) {
        return undefined;
      }
      replaced = true;
      return {
        contents: `export * from ${JSON.stringify(replacement)};`,
        resolveDir: import.meta.dirname,
      };
    });
    onEnd(() => {
      if (!replaced) {
        throw new Error(`The bundle has no ${original}.`);
      }
    });
  },
});

/** This service on the SDK's own client, with nothing of the SDK left out. */
export const stockSdk: BuildOptions = {
  ...commonjs,
  plugins: [replacing('../functions/dynamodb/dynamodb-client.ts', './baselines/stock-client.ts')],
};

/**
 * Bundles a TypeScript file, whose path is relative to bench/, and returns the path of the bundle.
 */
export const bundle = async (
  source: string,
  options: BuildOptions,
  directory: string,
): Promise<string> => {
  await build({ ...options, entryPoints: [join(import.meta.dirname, source)], outdir: directory });
  return join(directory, basename(source, '.ts') + (options.outExtension?.['.js'] ?? '.js'));
};
