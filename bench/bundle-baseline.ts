import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

/** An ES module with all of the SDK that it imports, minified. */
const esm: BuildOptions = {
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  outExtension: { '.js': '.mjs' },
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
};

/** The defaults of the CDK's NodejsFunction: CommonJS without the SDK, which Lambda provides. */
const cdkDefault: BuildOptions = { format: 'cjs', external: ['@aws-sdk/*', '@smithy/*'] };

const bundlings = { esm, cdkDefault };

/** Bundles a file of baselines/, named without its extension. Returns the path of the bundle. */
export const bundleBaseline = (
  name: string,
  directory: string,
  bundling: keyof typeof bundlings = 'esm',
): string => {
  const options = bundlings[bundling];
  buildSync({
    ...options,
    bundle: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
    entryPoints: [join(import.meta.dirname, `baselines/${name}.ts`)],
    outdir: directory,
  });
  return join(directory, `${name}${options.outExtension?.['.js'] ?? '.js'}`);
};
