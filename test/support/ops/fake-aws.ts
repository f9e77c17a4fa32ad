import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { serve } from '../http/serve.ts';
import type { LocalRun } from '../local/local-run.ts';

interface Stack {
  status: string;
  template: string;
  /** The template that its change set would give it. */
  nextTemplate?: string | undefined;
  outputs?: Record<string, string>;
  /** Physical ids by logical id. */
  resources?: Record<string, string>;
  /** Whether its termination protection is on. */
  isProtected?: boolean;
  /** Whether an update goes on until somebody ends it. Else it is done at once. */
  isSlow?: boolean;
}

/** A deployment of CodeDeploy, which shifts a function's traffic. */
interface TrafficShift {
  group: string;
  status: 'InProgress' | 'Stopped';
  /** The stack that is rolled back if it is stopped. */
  stack: Stack;
}

/** Returns an error for a service to reject a request with. */
export const awsError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { name: code });

const inJson = (reply: object): string =>
  JSON.stringify(reply instanceof Error ? { __type: reply.name, message: reply.message } : reply);

/** Writes a value as XML. An array becomes one element per item, all with the same name. */
const toXml = (value: unknown): string => {
  if (typeof value !== 'object') {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
  const elements = Object.entries(value ?? {}).flatMap(([name, inner]) =>
    [inner].flat().map((each) => [name, each]),
  );
  return elements.map(([name, inner]) => `<${name}>${toXml(inner)}</${name}>`).join('');
};

const inXml = (action: string, reply: object): string =>
  reply instanceof Error
    ? toXml({
        ErrorResponse: { Error: { Type: 'Sender', Code: reply.name, Message: reply.message } },
      })
    : toXml({ [`${action}Response`]: { [`${action}Result`]: reply } });

const pairs = (values: object | undefined, left: string, right: string) =>
  Object.entries(values ?? {}).map(([key, value]) => ({ [left]: key, [right]: value }));

const rollBack = (stack: Stack): object => {
  if (stack.status !== 'UPDATE_IN_PROGRESS') {
    return awsError('ValidationError', `CancelUpdateStack cannot be called from ${stack.status}`);
  }
  stack.status = 'UPDATE_ROLLBACK_COMPLETE';
  return {};
};

/** Plays CodeDeploy. */
const codeDeploy = (
  action: string,
  { deploymentGroupName, deploymentId }: Record<string, string>,
  shifts: Map<string, TrafficShift>,
): object => {
  const shift = shifts.get(deploymentId ?? '');
  if (action === 'StopDeployment' && shift) {
    shift.status = 'Stopped';
    rollBack(shift.stack);
    return { status: 'Succeeded' };
  }
  const running = [...shifts].filter(
    ([, { group, status }]) => group === deploymentGroupName && status === 'InProgress',
  );
  return { deployments: running.map(([id]) => id) };
};

/**
 * Plays CloudFormation for one stack. Executing a change set updates it to the template that was
 * uploaded, at once unless the stack is slow.
 */
const cloudFormation = (action: string, name: string, stack?: Stack, uploaded?: string): object => {
  if (!stack) {
    return awsError('ValidationError', `Stack with id ${name} does not exist`);
  }
  if (action === 'CreateChangeSet') {
    stack.nextTemplate = uploaded;
  } else if (action === 'ExecuteChangeSet') {
    const status = stack.isSlow ? 'UPDATE_IN_PROGRESS' : 'UPDATE_COMPLETE';
    Object.assign(stack, { status, template: stack.nextTemplate ?? stack.template });
  } else if (action === 'CancelUpdateStack') {
    return rollBack(stack);
  } else if (action === 'DescribeChangeSet' && stack.nextTemplate === undefined) {
    return awsError('ChangeSetNotFound', 'ChangeSet [c] does not exist');
  }
  const Outputs = { member: pairs(stack.outputs, 'OutputKey', 'OutputValue') };
  // This reply serves every action, because each client reads only the members that it knows.
  return {
    StackId: `arn:aws:cloudformation:eu-west-1:111122223333:stack/${name}/1`,
    Stacks: {
      member: {
        StackName: name,
        StackStatus: stack.status,
        EnableTerminationProtection: stack.isProtected ?? false,
        Outputs,
      },
    },
    StackResourceSummaries: {
      member: pairs(stack.resources, 'LogicalResourceId', 'PhysicalResourceId'),
    },
    TemplateBody: stack.template,
    Status: 'CREATE_COMPLETE',
  };
};

const Account = '111122223333';
const key = { AccessKeyId: 'ASIA', SecretAccessKey: 'secret', SessionToken: 'token' };
const throttleSettings = { rateLimit: 10_000, burstLimit: 5_000 };
const AccountLimit = { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 };

/** The replies of an account in which all is well, by `service Action`. */
const usual: Record<string, object> = {
  'sts GetCallerIdentity': {
    Account,
    Arn: `arn:aws:iam::${Account}:user/operator`,
    UserId: 'AIDA',
  },
  'sts AssumeRole': { Credentials: { ...key, Expiration: '2099-01-01T00:00:00Z' } },
  'ssm GetParameter': { Parameter: { Value: '31' } },
  'apigateway GET /account': {
    cloudwatchRoleArn: `arn:aws:iam::${Account}:role/logs`,
    throttleSettings,
  },
  'dynamodb ListTables': { TableNames: [] },
  'lambda GET /2016-08-19/account-settings': { AccountLimit },
  'dynamodb DescribeTable': { Table: { ItemCount: 0, TableSizeBytes: 0 } },
  'monitoring DescribeAlarms': { MetricAlarms: [{ StateValue: 'OK' }] },
};

/** A call of the CDK or of a client of the SDK. */
interface Call {
  accessKey: string;
  service: string;
  /** The name of the action, or the method and path of a service that has no names. */
  action: string;
  /** Of the Query protocol; empty for others. */
  parameters: URLSearchParams;
  method: string;
  path: string;
  body: string;
}

const readCall = async (message: IncomingMessage): Promise<Call> => {
  const { method = '', url = '', headers } = message;
  const body = await text(message);
  const [path = ''] = url.split('?');
  const scope = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '');
  const [, accessKey = '?', service = '?'] = scope ?? [];
  const parameters = new URLSearchParams(body);
  const target = String(headers['x-amz-target'] ?? '').split('.')[1];
  const action = target ?? parameters.get('Action') ?? `${method} ${path}`;
  return { accessKey, service, action, parameters, method, path, body };
};

const stackNameIn = ({ parameters }: Call): string =>
  parameters.get('StackName')?.replace(/^arn:.*:stack\/(.*)\/.*$/, '$1') ?? '';

export type FakeAws = Awaited<ReturnType<typeof fakeAws>>;

/**
 * Serves the parts of AWS that operators need, over HTTP, until the test file ends. Nothing is
 * deployed in it.
 * @param replies outputs or errors that differ from those of an account in which all is well, by
 * `service Action`
 */
export const fakeAws = async (replies: Record<string, object> = {}) => {
  /** The text of each upload to S3 by file name. */
  const objects = new Map<string, string>();
  const replyTo = (call: Call): object => {
    const { service, action, parameters } = call;
    const name = `${service} ${action}`;
    const given = aws.replies[name];
    if (!given && service === 'codedeploy') {
      return codeDeploy(action, JSON.parse(call.body), aws.shifts);
    }
    if (given || service !== 'cloudformation') {
      return given ?? awsError('Unknown', `no ${name} here`);
    }
    const stackName = stackNameIn(call);
    const template = objects.get(basename(parameters.get('TemplateURL') ?? ''));
    return cloudFormation(action, stackName, aws.stacks.get(stackName), template);
  };
  const endpoint = await serve(async (message, response) => {
    const call = await readCall(message);
    const { accessKey, service, action, parameters } = call;
    if (call.method === 'PUT') {
      objects.set(basename(call.path), call.body);
    }
    if (service === 's3') {
      return void response.end('<Result/>');
    }
    aws.calls.push(`${accessKey} ${service} ${action} ${stackNameIn(call)}`.trim());
    if (aws.silent?.test(`${service} ${action}`)) {
      return;
    }
    const reply = replyTo(call);
    response.statusCode = reply instanceof Error ? 400 : 200;
    response.end(parameters.has('Action') ? inXml(action, reply) : inJson(reply));
  });

  const aws = {
    /**
     * The calls in order, each as access key, `service Action` and, where there is one, stack name.
     */
    calls: [] as string[],
    replies: { ...usual, ...replies } as Record<string, object>,
    /** Calls that never get a response. */
    silent: undefined as RegExp | undefined,
    /** The deployed stacks by name. */
    stacks: new Map<string, Stack>(),
    /** What CodeDeploy does, by deployment id. */
    shifts: new Map<string, TrafficShift>(),
    /** Environment variables that make the SDKs and CLIs of a child process use this fake. */
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-west-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    } as Record<string, string>,
  };
  return aws;
};

/**
 * Starts a fake AWS in which both stages are deployed in us-east-1, both with the API and tables of
 * one local run.
 */
export const awsAround = async ({ baseUrl, tables }: LocalRun, replies = {}): Promise<FakeAws> => {
  const aws = await fakeAws(replies);
  const names = { InventoryTableName: tables.inventory, ApiKeysTableName: tables.apiKeys };
  for (const stage of ['staging', 'prod']) {
    const outputs = { BaseUrl: baseUrl, RestApiId: 'local', ReadOnlyKeys: 'enforced', ...names };
    aws.stacks.set(`${stage}-petstore-inventory`, {
      status: 'UPDATE_COMPLETE',
      template: '',
      outputs,
    });
  }
  Object.assign(aws.environment, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
    AWS_ENDPOINT_URL_API_GATEWAY: new URL(baseUrl).origin,
  });
  return aws;
};
