import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { sdkAliases } from '../infra/lambda/bundling.ts';

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

/** As infra/bundling.ts. */
export const ours: BuildOptions = {
  ...common,
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  alias: sdkAliases(false),
};

/** Bundles a TypeScript file of bench/ and returns the path of the bundle. */
export const bundle = async (source: string, options: BuildOptions, directory: string): Promise<string> => {
  const outdir = join(directory, options.format ?? '');
  await build({ ...options, entryPoints: [join(import.meta.dirname, source)], outdir });
  const name = source.replace(/.*\//, '').replace(/\.ts$/, '');
  return join(outdir, name + (options.outExtension?.['.js'] ?? '.js'));
};
