import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { sdkAliases } from '../infra/lambda/bundling.ts';

const aliases = sdkAliases(false);
const common: BuildOptions = { bundle: true, platform: 'node', target: 'node24', logLevel: 'error' };

/** What CDK's NodejsFunction does unless told otherwise: CommonJS; the SDK is the runtime's. */
export const cdkDefault: BuildOptions = { ...common, format: 'cjs', external: ['@aws-sdk/*', '@smithy/*'] };

/** The SDK bundled, ES modules in and out, minified. */
export const esm: BuildOptions = {
  ...common,
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  outExtension: { '.js': '.mjs' },
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
};

/** The SDK bundled, CommonJS out, minified. */
export const commonjs: BuildOptions = { ...common, format: 'cjs', mainFields: ['module', 'main'], minify: true };

/** As infra/lambda/bundling.ts, with parts of the SDK left out. */
export const ours: BuildOptions = { ...commonjs, alias: aliases };

/** Bundles one file of this project in place of another, both named from bench/. */
const replacing = (original: string, replacement: string): Plugin => ({
  name: 'replacing',
  setup: ({ onLoad, onEnd }) => {
    let replaced = false;
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path !== join(import.meta.dirname, original)) {
        return undefined;
      }
      replaced = true;
      return { contents: `export * from ${JSON.stringify(replacement)};`, resolveDir: import.meta.dirname };
    });
    onEnd(() => {
      if (!replaced) {
        throw new Error(`The bundle has no ${original}.`);
      }
    });
  },
});

/** This service on the SDK's own client, of which nothing is left out. */
export const stockSdk: BuildOptions = {
  ...commonjs,
  plugins: [replacing('../functions/dynamodb/stock-sdk.ts', './baselines/stock-sdk.ts')],
};

const { '@smithy/core/serde': _usedBySigner, ...withoutSigner } = aliases;

/** This service with the SDK's signer in place of its own, and nothing else changed. */
export const stockSigner: BuildOptions = {
  ...commonjs,
  alias: withoutSigner,
  plugins: [replacing('../functions/dynamodb/signature-v4.ts', './baselines/stock-signer.ts')],
};

/** Bundles a TypeScript file, named from bench/, and returns the path of the bundle. */
export const bundle = async (source: string, options: BuildOptions, directory: string): Promise<string> => {
  await build({ ...options, entryPoints: [join(import.meta.dirname, source)], outdir: directory });
  return join(directory, basename(source, '.ts') + (options.outExtension?.['.js'] ?? '.js'));
};
