import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../http/serve.ts';

interface FakeStack {
  status: string;
  outputs?: Record<string, string>;
}

/** Returns an error for AWS to reject a call with. */
export const awsError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { name: code });

/** Writes a value as XML. An array becomes one element for each item, all with the same name. */
const toXml = (value: unknown): string =>
  typeof value === 'object'
    ? Object.entries(value ?? {})
        .flatMap(([name, inner]) => [inner].flat().map((each) => [name, each]))
        .map(([name, inner]) => `<${name}>${toXml(inner)}</${name}>`)
        .join('')
    : String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const inXml = (action: string, reply: object): string =>
  reply instanceof Error
    ? toXml({ ErrorResponse: { Error: { Code: reply.name, Message: reply.message } } })
    : toXml({ [`${action}Response`]: { [`${action}Result`]: reply } });

/** Returns the service of a call, such as `cloudformation`. */
const serviceOf = ({ headers }: IncomingMessage): string =>
  /\/(\w+)\/aws4/.exec(headers.authorization ?? '')?.[1] ?? '';

const account = '111122223333';

const stackReply = (StackName: string, { status, outputs = {} }: FakeStack): object => ({
  Stacks: {
    member: {
      StackId: `arn:aws:cloudformation:us-east-1:${account}:stack/${StackName}/1`,
      StackName,
      StackStatus: status,
      Outputs: {
        member: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({
          OutputKey,
          OutputValue,
        })),
      },
    },
  },
});

/**
 * Serves an AWS account with these stacks until the test file ends: what CloudFormation says about
 * them.
 * @param reply an error for every call
 */
export const fakeAws = async (stacks: Record<string, FakeStack>, reply?: Error) => {
  const missing = (stackName: string): Error =>
    awsError('ValidationError', `Stack with id ${stackName} does not exist`);
  /** The calls in order, each as `service:Action` and stack. */
  const calls: string[] = [];
  const endpoint = await serve(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    const action = parameters.get('Action') ?? '';
    const stackName = parameters.get('StackName') ?? '';
    calls.push(`${serviceOf(request)}:${action} ${stackName}`);
    const stack = stacks[stackName];
    const answer = reply ?? (stack ? stackReply(stackName, stack) : missing(stackName));
    response.statusCode = answer instanceof Error ? 400 : 200;
    response.end(inXml(action, answer));
  });
  return {
    calls,
    /** Environment variables that make the SDK use this account. */
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    } as Record<string, string>,
  };
};

interface Tables {
  endpoint: string;
  inventory: string;
  apiKeys: string;
}

/** Returns the account of `fakeAws`, with both stages deployed, both with these tables and API. */
export const awsAround = async ({ baseUrl, tables }: { baseUrl: string; tables: Tables }) => {
  const outputs = () => ({
    BaseUrl: baseUrl,
    RestApiId: 'local',
    InventoryTableName: tables.inventory,
    ApiKeysTableName: tables.apiKeys,
  });
  const aws = await fakeAws({
    'staging-petstore-inventory': { status: 'UPDATE_COMPLETE', outputs: outputs() },
    'prod-petstore-inventory': { status: 'UPDATE_COMPLETE', outputs: outputs() },
  });
  Object.assign(aws.environment, {
    // The credentials of the local run's tables.
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
    AWS_ENDPOINT_URL_API_GATEWAY: new URL(baseUrl).origin,
  });
  return aws;
};
