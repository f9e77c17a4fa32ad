import { oneLine } from '../cli/terminal.ts';

interface Started {
  stageName: string;
  /** Where the tables are, such as `in memory`. */
  tablesAt: string;
  baseUrl: string;
  apiKey: string;
  /** Whether the operator gave the key, and so knows it. It is then not printed. */
  isGivenKey: boolean;
  dynamodb: { endpoint: string; inventory: string; apiKeys: string };
  /** The URL of each function's inspector by ARN. */
  inspectors: Map<string, string>;
}

/** Returns what a start prints once the service is ready: what clients need, to paste. */
export const banner = (started: Started): string => {
  const { stageName, tablesAt, baseUrl, apiKey, isGivenKey, dynamodb } = started;
  const { endpoint, inventory, apiKeys } = dynamodb;
  const inspectors = [...started.inspectors].map(
    ([arn, url]) => `Inspector of ${nameIn(arn)}: ${url}\n`,
  );
  const page = `${new URL(baseUrl).origin}/`;
  const exported = `export PETSTORE_BASE_URL=${baseUrl}`;
  return `\
Petstore inventory, stage ${stageName}, tables ${oneLine(tablesAt)}. Ctrl-C stops it.

Base URL: ${baseUrl}
API key: ${isGivenKey ? 'the one given with --api-key' : apiKey}
DynamoDB: ${oneLine(endpoint)} (tables ${inventory}, ${apiKeys})
API reference: ${isGivenKey ? page : `${page}#key=${apiKey}`}
${inspectors.join('')}
For the programs in examples/${isGivenKey ? ', which also need PETSTORE_API_KEY' : ''}:
${isGivenKey ? exported : `${exported} PETSTORE_API_KEY=${apiKey}`}

Try it:
curl -H "Authorization: Bearer ${isGivenKey ? '$PETSTORE_API_KEY' : apiKey}" ${baseUrl}/inventory

`;
};

/** Returns the function's name in the code, to which the CDK adds the stack and a hash. */
const nameIn = (arn: string): string => arn.replace(/^.*-/, '').replace(/[0-9A-F]{8}$/, '');
