import { text } from 'node:stream/consumers';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { serve } from '../http/serve.ts';

interface FakeStack {
  status?: string;
  outputs?: Record<string, string>;
}

const described = (
  name: string,
  { status = 'UPDATE_COMPLETE', outputs = {} }: FakeStack,
): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `
    <DescribeStacksResponse><DescribeStacksResult><Stacks><member>
      <StackId>arn:aws:cloudformation:us-east-1:111122223333:stack/${name}/1</StackId>
      <StackStatus>${status}</StackStatus>
      <Outputs>${members.join('')}</Outputs>
    </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

const missing = (name: string): string => `
  <ErrorResponse><Error>
    <Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message>
  </Error></ErrorResponse>`;

/** Serves the CloudFormation of an AWS account with these stacks, until the test file ends. */
export const fakeAws = async (stacks: Partial<Record<string, FakeStack>>) => {
  /** The calls in order, each as `cloudformation:ACTION STACK`. */
  const calls: string[] = [];
  const endpoint = await serve(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    const name = parameters.get('StackName') ?? '';
    calls.push(`cloudformation:${parameters.get('Action')} ${name}`);
    const stack = stacks[name];
    response.writeHead(stack ? 200 : 400).end(stack ? described(name, stack) : missing(name));
  });
  return {
    calls,
    /** Environment variables that make the SDK use this account. */
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_REGION: 'us-east-1',
    } as Record<string, string>,
  };
};

interface Tables {
  endpoint: string;
  inventory: string;
  apiKeys: string;
}

/** Returns the stacks of all stages, all with these tables. */
export const stacksAround = ({ inventory, apiKeys }: Omit<Tables, 'endpoint'>) => {
  const outputs = { InventoryTableName: inventory, ApiKeysTableName: apiKeys };
  return Object.fromEntries(stageNames.map((name) => [`${name}-petstore-inventory`, { outputs }]));
};

/** Returns the account of `fakeAws`, with all stages deployed, all with these tables. */
export const awsAround = async (tables: Tables) => {
  const aws = await fakeAws(stacksAround(tables));
  Object.assign(aws.environment, { AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint });
  return aws;
};
