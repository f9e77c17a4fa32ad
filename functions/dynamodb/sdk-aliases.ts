import { join } from 'node:path';

/**
 * Parts of the SDK that the functions do not use, because Lambda does not need them or because an
 * option in dynamodb-client.ts replaces them. To use a part again, remove its line and that option.
 */
const unusedParts = [
  // SSO, STS, profiles, instance metadata, configuration files: Lambda sets all of it in the
  // environment.
  '@aws-sdk/credential-provider-node',
  '@smithy/core/config',
  // HTTP: request-handler.ts sends the requests.
  '@smithy/node-http-handler',
  // Schemas, XML, CBOR, event streams: json-protocol.ts implements the only format in use. The
  // import() of event streams, though never reached, makes esbuild wrap 22 modules, which V8 then
  // parses twice.
  '@aws-sdk/core/protocols',
  '@aws-sdk/dynamodb-codec',
  '@smithy/core/event-streams',
  // The signer for services of every kind: signer.ts needs only Signature Version 4.
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

/** The file to bundle in place of each of these parts, by the name that the part is imported by. */
export const sdkAliases: Record<string, string> = Object.fromEntries(
  unusedParts.map((part) => [part, join(import.meta.dirname, 'sdk-stubs.cjs')]),
);
