import { relative } from 'node:path';
import { type BundlingOptions, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs';

/**
 * The only file of lib-dynamodb that the functions use. esbuild would bundle the whole package,
 * because it does not declare that it has no side effects, and with it DynamoDBClient and all that
 * this needs: a quarter of a cold start.
 */
export const documentCommands = '@aws-sdk/lib-dynamodb/dist-es/commands/UpdateCommand.js';

/** Parts of the SDK that are not bundled. */
export const externalModules = ['@aws-sdk/credential-provider-node', '@smithy/core/event-streams'];

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
  // Not reached by the functions. Only because other modules could import these at run time, esbuild
  // would wrap much of the SDK, which V8 then parses twice.
  externalModules,
  esbuildArgs: { '--alias:@aws-sdk/lib-dynamodb': documentCommands },
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    // CDK runs this in the checkout. A `node` that the PATH has could be too old for TypeScript.
    afterBundling: (input, output) => [
      `${node} infra/lambda/portable-source-map.ts "${relative(input, output)}"`,
    ],
  },
};
