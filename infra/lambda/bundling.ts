import { join, relative } from 'node:path';
import { type BundlingOptions, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs';
import { useStockSdk } from '../../functions/dynamodb/stock-sdk.ts';

/**
 * Parts of the SDK that have no work to do, because Lambda has no need of them or because an option in
 * functions/dynamodb/dynamodb-client.ts does it instead. To use one again, remove its line and that option.
 */
const stubbedSdkParts = [
  // SSO, STS, profiles, instance metadata: Lambda gives credentials in the environment (dynamodb-client.ts).
  '@aws-sdk/credential-provider-node',
  // HTTP by functions/dynamodb/request-handler.ts.
  '@smithy/node-http-handler',
  // Schemas, XML, CBOR, event streams: functions/dynamodb/json-protocol.ts speaks the one format there is.
  '@aws-sdk/core/protocols',
  '@aws-sdk/dynamodb-codec',
  '@smithy/core/serde',
  // Signing by functions/dynamodb/signature-v4.ts.
  '@smithy/core/checksum',
  '@aws-sdk/core/httpAuthSchemes',
  // Shared configuration files, of which Lambda has none.
  '@smithy/core/config',
  // Rules that work out the endpoint (FIPS, dual stack, account ids): dynamodb-client.ts has it.
  '@smithy/core/endpoints',
  '@aws-sdk/core/account-id-endpoint',
  '@aws-sdk/middleware-endpoint-discovery',
  // User agent, and the trace header that only services able to invoke functions read.
  '@aws-sdk/core/client',
];

/** What to bundle instead of a package, by its name: nothing, with the SDK as it comes. */
export const sdkAliases = (stockSdk: boolean): Record<string, string> =>
  Object.fromEntries(stockSdk ? [] : stubbedSdkParts.map((part) => [part, join(import.meta.dirname, 'sdk-stubs.cjs')]));

/** How every function is bundled. Each choice is one that `npm run bench` shows to be worth it. */
export const bundling: BundlingOptions = {
  // The SDK that the lockfile pins, as ES modules that esbuild can drop the unused parts of.
  bundleAwsSDK: true,
  mainFields: ['module', 'main'],
  // CommonJS, because it loads faster than ESM: with it, Node does not load fetch along with node:http.
  format: OutputFormat.CJS,
  target: 'node24',
  minify: true,
  // The maps lie beside the bundles, where functions/observability/source-stack.ts finds them once it needs them;
  // Node itself would read them at each cold start.
  sourceMap: true,
  sourceMapMode: SourceMapMode.EXTERNAL,
  sourcesContent: false,
  esbuildArgs: Object.fromEntries(
    Object.entries(sdkAliases(useStockSdk)).map(([part, stub]) => [`--alias:${part}`, stub]),
  ),
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    // As seen from the checkout, where CDK runs this: a shell would read what its path may hold. Node is found as in cdk.json.
    afterBundling: (input, output) => [`node infra/lambda/portable-source-map.ts "${relative(input, output)}"`],
  },
};
