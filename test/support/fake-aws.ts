import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LocalRun } from './local-run.ts';
import { serve } from './serve.ts';

/** The response of a service: XML or JSON. */
type Reply = { status?: number; xml?: string; json?: unknown };

interface Stack {
  status: string;
  template: string;
  /** What its change set would make of it. */
  nextTemplate?: string | undefined;
  outputs?: Record<string, string>;
  /** Physical ids by logical id. */
  resources?: Record<string, string>;
}

/** An array becomes elements of one name. */
const toXml = (value: unknown): string => {
  if (typeof value !== 'object') {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
  const elements = Object.entries(value ?? {}).flatMap(([name, inner]) => [inner].flat().map((each) => [name, each]));
  return elements.map(([name, inner]) => `<${name}>${toXml(inner)}</${name}>`).join('');
};

/** What an action of the services that speak XML returns. */
const xmlResult = (action: string, value: object): Reply => ({
  xml: toXml({ [`${action}Response`]: { [`${action}Result`]: value } }),
});

/** The response to a request that a service rejects. */
export const xmlError = (Code: string, Message: string, status = 400): Reply => ({
  status,
  xml: toXml({ ErrorResponse: { Error: { Type: 'Sender', Code, Message } } }),
});
export const jsonError = (type: string, message: string): Reply => ({ status: 400, json: { __type: type, message } });

const pairs = (values: object | undefined, left: string, right: string) =>
  Object.entries(values ?? {}).map(([key, value]) => ({ [left]: key, [right]: value }));

/** What SNS says of a topic with so many subscribers. */
export const topicAttributes = (SubscriptionsConfirmed: number, SubscriptionsPending: number): Reply => {
  const entry = pairs({ SubscriptionsConfirmed, SubscriptionsPending }, 'key', 'value');
  return xmlResult('GetTopicAttributes', { Attributes: { entry } });
};

/** What CloudFormation does with a stack. A change set updates it at once, to a template that was uploaded. */
const cloudFormation = (
  action: string,
  name: string,
  stack: Stack | undefined,
  uploaded: string | undefined,
): Reply => {
  if (!stack) {
    return xmlError('ValidationError', `Stack with id ${name} does not exist`);
  }
  if (action === 'CreateChangeSet') {
    stack.nextTemplate = uploaded;
  } else if (action === 'ExecuteChangeSet') {
    Object.assign(stack, { status: 'UPDATE_COMPLETE', template: stack.nextTemplate });
  } else if (action === 'DescribeChangeSet' && stack.nextTemplate === undefined) {
    return xmlError('ChangeSetNotFound', 'ChangeSet [c] does not exist');
  }
  const Outputs = { member: pairs(stack.outputs, 'OutputKey', 'OutputValue') };
  return xmlResult(action, {
    // Each action has something of this.
    StackId: `arn:aws:cloudformation:eu-west-1:111122223333:stack/${name}/1`,
    Stacks: { member: { StackName: name, StackStatus: stack.status, Outputs } },
    StackResourceSummaries: { member: pairs(stack.resources, 'LogicalResourceId', 'PhysicalResourceId') },
    TemplateBody: stack.template,
    Status: 'CREATE_COMPLETE',
  });
};

const Account = '111122223333';
const identity = { Account, Arn: `arn:aws:iam::${Account}:user/operator`, UserId: 'AIDA' };
const key = { AccessKeyId: 'ASIA', SecretAccessKey: 'secret', SessionToken: 'token' };
const Credentials = { ...key, Expiration: '2099-01-01T00:00:00Z' };
const throttleSettings = { rateLimit: 10_000, burstLimit: 5_000 };
const AccountLimit = { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 };

const wellBehaved: Record<string, Reply> = {
  'sts GetCallerIdentity': xmlResult('GetCallerIdentity', identity),
  'sts AssumeRole': xmlResult('AssumeRole', { Credentials }),
  'ssm GetParameter': { json: { Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Value: '31' } } },
  'apigateway GET /account': { json: { cloudwatchRoleArn: `arn:aws:iam::${Account}:role/logs`, throttleSettings } },
  'dynamodb ListTables': { json: { TableNames: [] } },
  'lambda GET /2016-08-19/account-settings': { json: { AccountLimit } },
  's3 GET': { xml: '<Result/>' },
  's3 PUT': { xml: '<Result/>' },
};

export type FakeAws = Awaited<ReturnType<typeof fakeAws>>;

/** The parts of AWS that operators need, over HTTP, for one test. Nothing is deployed there. */
export const fakeAws = async () => {
  /** What was uploaded to S3, by file name. */
  const objects = new Map<string, string>();
  const endpoint = await serve(async (message, response) => {
    const { method = '', url = '', headers } = message;
    const body = await text(message);
    const [path = ''] = url.split('?');
    const scope = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '');
    const [, accessKey = '?', service = '?'] = scope ?? [];
    aws.signers.set(service, accessKey);
    const parameters = new URLSearchParams(service === 's3' ? '' : body);
    const target = String(headers['x-amz-target'] ?? '').split('.')[1];
    const action = target ?? parameters.get('Action') ?? `${method} ${service === 's3' ? '' : path}`.trim();
    const call = `${service} ${action}`;
    const name = parameters.get('StackName')?.replace(/^arn:.*:stack\/(.*)\/.*$/, '$1') ?? '';
    aws.calls.push(`${call} ${name}`.trim());
    if (aws.silent?.test(call)) {
      return;
    }
    if (call === 's3 PUT') {
      objects.set(basename(path), body);
    }
    const template = objects.get(basename(parameters.get('TemplateURL') ?? ''));
    const ofStack = () => cloudFormation(action, name, aws.stacks.get(name), template);
    const none = jsonError('Unknown', `no ${call} here`);
    const usual = service === 'cloudformation' ? ofStack : () => wellBehaved[call] ?? none;
    const { status = 200, xml, json } = aws.replies.get(call) ?? usual();
    response.writeHead(status, { 'Content-Type': json === undefined ? 'text/xml' : 'application/x-amz-json-1.1' });
    response.end(json === undefined ? xml : JSON.stringify(json));
  });

  const aws = {
    /** What was asked, as `service Action` and the name of a stack, in order. */
    calls: [] as string[],
    /** The access key that the last call of each service was signed with. */
    signers: new Map<string, string>(),
    /** Responses that differ from those of an account where all is well, by `service Action`. */
    replies: new Map<string, Reply>(),
    /** Calls that never get a response. */
    silent: undefined as RegExp | undefined,
    /** By name. */
    stacks: new Map<string, Stack>(),
    /** Makes every SDK and CLI of a child process talk to it. */
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

/** An account of us-east-1 in which the two stages are deployed, with the API and the tables of one local run. */
export const awsAround = async ({ baseUrl, tables }: LocalRun): Promise<FakeAws> => {
  const aws = await fakeAws();
  const names = { InventoryTableName: tables.inventory, ApiKeysTableName: tables.apiKeys };
  for (const stage of ['staging', 'prod']) {
    const outputs = { BaseUrl: baseUrl, RestApiId: 'local', ...names };
    aws.stacks.set(`${stage}-petstore-inventory`, { status: 'UPDATE_COMPLETE', template: '', outputs });
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
