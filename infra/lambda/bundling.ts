import { relative } from 'node:path';
import { type BundlingOptions, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs';
import { sdkAliases } from '../../functions/dynamodb/sdk-aliases.ts';

/** This Node as a word of a shell, which would interpret special characters of its path. */
const node =
  process.platform === 'win32'
    ? `"${process.execPath}"`
    : `'${process.execPath.replaceAll("'", String.raw`'\''`)}'`;

/** The bundling options of every function. `npm run bench` shows that each choice is worth it. */
export const bundling: BundlingOptions = {
  // Bundles the SDK that the lockfile pins, as ES modules, so that esbuild can drop the unused
  // parts.
  bundleAwsSDK: true,
  mainFields: ['module', 'main'],
  // CommonJS, because it loads faster than ESM: with CommonJS, Node does not load fetch when it
  // loads node:http.
  format: OutputFormat.CJS,
  target: 'node24',
  minify: true,
  // Each map is a file of its own. observability/source-stack.ts reads it when needed, Node would
  // at each cold start.
  sourceMap: true,
  sourceMapMode: SourceMapMode.EXTERNAL,
  sourcesContent: false,
  esbuildArgs: Object.fromEntries(
    Object.entries(sdkAliases).map(([part, stub]) => [`--alias:${part}`, stub]),
  ),
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    // CDK runs this in the checkout. A `node` that the PATH has could be too old for TypeScript.
    afterBundling: (input, output) => [
      `${node} infra/lambda/portable-source-map.ts "${relative(input, output)}"`,
    ],
  },
};
