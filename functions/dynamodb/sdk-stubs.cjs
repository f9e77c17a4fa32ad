/**
 * Replaces the parts of the SDK that sdk-aliases.ts names. The client still calls some of their
 * functions when it is created. A function that is missing here is undefined, and a call to it
 * would fail at init.
 */
const unchanged = (config) => config;
const nothing = () => {};
const noMiddleware = () => ({ applyToStack: nothing });
const noExtension = () => ({});

module.exports = {
  // @aws-sdk/core/client
  emitWarningIfUnsupportedVersion: nothing,
  getDefaultSocketTimeout: nothing,
  createDefaultUserAgentProvider: nothing,
  setFeature: nothing,
  resolveUserAgentConfig: unchanged,
  resolveHostHeaderConfig: unchanged,
  getUserAgentPlugin: noMiddleware,
  getHostHeaderPlugin: noMiddleware,
  getLoggerPlugin: noMiddleware,
  getRecursionDetectionPlugin: noMiddleware,
  getAwsRegionExtensionConfiguration: noExtension,
  resolveAwsRegionExtensionConfiguration: noExtension,

  // @aws-sdk/core/httpAuthSchemes
  AwsSdkSigV4Signer: class {},
  resolveAwsSdkSigV4Config: unchanged,

  // @aws-sdk/core/account-id-endpoint, @aws-sdk/middleware-endpoint-discovery
  resolveAccountIdEndpointModeConfig: unchanged,
  resolveEndpointDiscoveryConfig: unchanged,

  // @aws-sdk/dynamodb-codec
  DynamoDBJsonCodec2: class {},

  // @smithy/core/config
  loadConfig: () => nothing,
  resolveDefaultsModeConfig: () => nothing,
  resolveRegionConfig: ({ region, ...config }) => ({ ...config, region: async () => region }),

  // @smithy/core/endpoints
  EndpointCache: class {},
  BinaryDecisionDiagram: { from: nothing },
  customEndpointFunctions: {},
  resolveEndpointConfig: unchanged,
  // This middleware does nothing, but another one is placed relative to it.
  getEndpointPlugin: () => ({
    applyToStack: (stack) =>
      stack.addRelativeTo((next) => next, {
        name: 'endpointV2Middleware',
        relation: 'before',
        toMiddleware: 'serializerMiddleware',
        override: true,
      }),
  }),

  // @smithy/node-http-handler
  NodeHttpHandler: { create: unchanged },
};
