import { join, relative } from 'node:path';
import { type BundlingOptions, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs';
import { useStockSdk } from '../../functions/dynamodb/stock-sdk.ts';

/**
 * Parts of the SDK that the functions do not use, because Lambda does not need them or because an
 * option in functions/dynamodb/dynamodb-client.ts replaces them. To use a part again, remove its
 * line and that option.
 */
const stubbedSdkParts = [
  // SSO, STS, profiles, instance metadata, configuration files: Lambda sets all of it in the
  // environment.
  '@aws-sdk/credential-provider-node',
  '@smithy/core/config',
  // HTTP: functions/dynamodb/request-handler.ts sends the requests.
  '@smithy/node-http-handler',
  // Schemas, XML, CBOR, event streams: functions/dynamodb/json-protocol.ts implements the only
  // format in use. The import() of event streams, though never reached, makes esbuild wrap 22
  // modules, which V8 then parses twice.
  '@aws-sdk/core/protocols',
  '@aws-sdk/dynamodb-codec',
  '@smithy/core/serde',
  '@smithy/core/event-streams',
  // Signing: functions/dynamodb/signature-v4.ts signs the requests.
  '@smithy/core/checksum',
  '@aws-sdk/core/httpAuthSchemes',
  // Rules that compute the endpoint (FIPS, dual stack, account ids): dynamodb-client.ts reads it
  // from the environment.
  '@smithy/core/endpoints',
  '@aws-sdk/core/account-id-endpoint',
  '@aws-sdk/middleware-endpoint-discovery',
  // The user agent, and the trace header, which is read only by services that can invoke functions.
  '@aws-sdk/core/client',
];

/**
 * Returns the file to bundle in place of each stubbed package, by package name; none with the stock
 * SDK.
 */
export const sdkAliases = (stockSdk: boolean): Record<string, string> =>
  Object.fromEntries(
    stockSdk
      ? []
      : stubbedSdkParts.map((part) => [part, join(import.meta.dirname, 'sdk-stubs.cjs')]),
  );

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
    Object.entries(sdkAliases(useStockSdk)).map(([part, stub]) => [`--alias:${part}`, stub]),
  ),
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    // CDK runs this in the checkout, in a shell, which could interpret special characters of an
    // absolute path.
    afterBundling: (input, output) => [
      `node infra/lambda/portable-source-map.ts "${relative(input, output)}"`,
    ],
  },
};
