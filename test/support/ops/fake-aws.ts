import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../http/serve.ts';

interface FakeStack {
  status: string;
  outputs?: Record<string, string>;
  /** What is deployed. */
  template?: object;
  isProtected?: boolean;
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

/** Returns the access key and the service of a call, such as `AKIA sts`. */
const callerOf = ({ headers }: IncomingMessage): string => {
  const [, accessKey, service] =
    /Credential=([^/]+)\/.*\/(\w+)\/aws4/.exec(headers.authorization ?? '') ?? [];
  return `${accessKey} ${service}`;
};

/** Returns the name of a stack, which a call may also name by its ARN. */
const nameIn = (stack: string): string => stack.replace(/^arn:.*:stack\/(.*)\/.*$/, '$1');

const account = '111122223333';

const stackReply = (StackName: string, { status, outputs = {}, ...stack }: FakeStack): object => ({
  Stacks: {
    member: {
      StackId: `arn:aws:cloudformation:us-east-1:${account}:stack/${StackName}/1`,
      StackName,
      StackStatus: status,
      EnableTerminationProtection: stack.isProtected ?? false,
      Outputs: {
        member: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({
          OutputKey,
          OutputValue,
        })),
      },
    },
  },
  TemplateBody: JSON.stringify(stack.template ?? {}),
  // Of its change set.
  StackId: `arn:aws:cloudformation:us-east-1:${account}:stack/${StackName}/1`,
  Status: 'CREATE_COMPLETE',
});

export type FakeAws = Awaited<ReturnType<typeof fakeAws>>;

/**
 * Serves an AWS account with these stacks until the test file ends: what CloudFormation says about
 * them, and STS. The CDK can deploy to it, which changes nothing.
 * @param replies errors for an action, by its name
 */
export const fakeAws = async (
  stacks: Record<string, FakeStack>,
  replies: Record<string, Error> = {},
) => {
  const role = { AccessKeyId: 'ASIA', SecretAccessKey: 'secret', SessionToken: 'token' };
  const sts: Record<string, object> = {
    GetCallerIdentity: { Account: account, Arn: `arn:aws:iam::${account}:user/operator` },
    AssumeRole: { Credentials: { ...role, Expiration: '2099-01-01T00:00:00Z' } },
  };
  let hasChangeSet = false;
  const replyTo = (action: string, stackName: string): object => {
    hasChangeSet ||= action === 'CreateChangeSet';
    if (action === 'DescribeChangeSet' && !hasChangeSet) {
      return awsError('ChangeSetNotFound', 'ChangeSet [c] does not exist');
    }
    const stack = stacks[stackName];
    const missing = awsError('ValidationError', `Stack with id ${stackName} does not exist`);
    return replies[action] ?? sts[action] ?? (stack ? stackReply(stackName, stack) : missing);
  };
  /** The calls in order, each as access key, `service:Action` and, if there is one, stack. */
  const calls: string[] = [];
  const endpoint = await serve(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    const action = parameters.get('Action');
    if (action === null) {
      // The CDK asks SSM for the version of its bootstrap, and uploads to S3.
      const isS3 = request.headers['x-amz-target'] === undefined;
      response.end(isS3 ? '<Result/>' : '{"Parameter":{"Value":"31"}}');
      return;
    }
    const stackName = nameIn(parameters.get('StackName') ?? '');
    calls.push(`${callerOf(request)}:${action} ${stackName}`.trim());
    const reply = replyTo(action, stackName);
    response.statusCode = reply instanceof Error ? 400 : 200;
    response.end(inXml(action, reply));
  });
  return {
    calls,
    stacks,
    replies,
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
    ReadOnlyKeys: 'enforced',
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
