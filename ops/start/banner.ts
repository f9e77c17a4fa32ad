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
}

/** Returns what a start prints once the service is ready: what clients need, to paste. */
export const banner = (started: Started): string => {
  const { stageName, tablesAt, baseUrl, apiKey, isGivenKey, dynamodb } = started;
  const { endpoint, inventory, apiKeys } = dynamodb;
  const page = `${new URL(baseUrl).origin}/`;
  const exported = `export PETSTORE_BASE_URL=${baseUrl}`;
  return `\
Petstore inventory, stage ${stageName}, tables ${oneLine(tablesAt)}. Ctrl-C stops it.

Base URL: ${baseUrl}
API key: ${isGivenKey ? 'the one given with --api-key' : apiKey}
DynamoDB: ${oneLine(endpoint)} (tables ${inventory}, ${apiKeys})
API reference: ${isGivenKey ? page : `${page}#key=${apiKey}`}

For the programs in examples/${isGivenKey ? ', which also need PETSTORE_API_KEY' : ''}:
${isGivenKey ? exported : `${exported} PETSTORE_API_KEY=${apiKey}`}

Try it:
curl -H "Authorization: Bearer ${isGivenKey ? '$PETSTORE_API_KEY' : apiKey}" ${baseUrl}/inventory

`;
};
