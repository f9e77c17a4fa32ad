import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../local/shared/local-server.ts';
import type { LocalRun } from './local-run.ts';

/** The response of a service: XML, JSON or nothing. */
type Reply = { status?: number; xml?: string; json?: unknown };

interface Stack {
  status: string;
  template: string;
  outputs?: Record<string, string>;
  /** Physical ids by logical id. */
  resources?: Record<string, string>;
  /** Its deployments are rolled back. */
  isFailing?: boolean;
}

const toXml = (value: unknown, nameOfMember = 'member'): string => {
  if (typeof value !== 'object') {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
  const entries = Array.isArray(value) ? value.map((each) => [nameOfMember, each]) : Object.entries(value ?? {});
  return entries.map(([name, inner]) => `<${name}>${toXml(inner, nameOfMember)}</${name}>`).join('');
};

/** What an action of the services that speak XML returns. */
const xmlResult = (action: string, value: object, nameOfMember?: string): Reply => ({
  xml: toXml({ [`${action}Response`]: { [`${action}Result`]: value } }, nameOfMember),
});

/** The response to a request that a service rejects. */
export const xmlError = (Code: string, Message: string, status = 400): Reply => ({
  status,
  xml: toXml({ ErrorResponse: { Error: { Type: 'Sender', Code, Message } } }),
});
export const jsonError = (type: string, message: string): Reply => ({ status: 400, json: { __type: type, message } });

/** What SNS says of a topic with so many subscribers. */
export const topicAttributes = (SubscriptionsConfirmed: number, SubscriptionsPending: number): Reply => {
  const entries = Object.entries({ SubscriptionsConfirmed, SubscriptionsPending });
  return xmlResult('GetTopicAttributes', { Attributes: entries.map(([key, value]) => ({ key, value })) }, 'entry');
};

/** Its stacks, which a change set updates at once. Their templates come from the objects that were uploaded. */
const cloudFormation = (stacks: Map<string, Stack>, objects: Map<string, string>) => {
  const changeSets = new Map<string, string | undefined>();
  const pairs = (values: Record<string, string> = {}, key: string, value: string) =>
    Object.entries(values).map(([left, right]) => ({ [key]: left, [value]: right }));

  return (action: string, name: string, parameters: URLSearchParams): Reply => {
    const stack = stacks.get(name);
    if (!stack) {
      return xmlError('ValidationError', `Stack with id ${name} does not exist`);
    }
    if (action === 'CreateChangeSet') {
      const { pathname } = new URL(parameters.get('TemplateURL') ?? '');
      changeSets.set(name, [...objects].find(([path]) => pathname.endsWith(path))?.[1]);
    } else if (action === 'DeleteChangeSet') {
      changeSets.delete(name);
    } else if (action === 'ExecuteChangeSet') {
      const changed = { status: 'UPDATE_COMPLETE', template: changeSets.get(name) };
      Object.assign(stack, stack.isFailing ? { status: 'UPDATE_ROLLBACK_COMPLETE' } : changed);
    } else if (action === 'DescribeChangeSet' && !changeSets.has(name)) {
      return xmlError('ChangeSetNotFound', 'ChangeSet [c] does not exist');
    }
    return xmlResult(action, {
      // Each action has something of this.
      ...{ Id: 'arn:change-set', StackId: `arn:aws:cloudformation:eu-west-1:111122223333:stack/${name}/1` },
      ...{ ChangeSetName: 'c', ChangeSetId: 'arn:change-set', Status: 'CREATE_COMPLETE', ExecutionStatus: 'AVAILABLE' },
      Changes: [{ Type: 'Resource' }],
      Stacks: [
        {
          ...{ StackName: name, StackStatus: stack.status, CreationTime: '2026-01-01T00:00:00Z' },
          Outputs: pairs(stack.outputs, 'OutputKey', 'OutputValue'),
        },
      ],
      StackResourceSummaries: pairs(stack.resources, 'LogicalResourceId', 'PhysicalResourceId'),
      TemplateBody: stack.template,
    });
  };
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
  'sns GetTopicAttributes': topicAttributes(1, 0),
  'lambda GET /2016-08-19/account-settings': { json: { AccountLimit } },
};

export type FakeAws = Awaited<ReturnType<typeof fakeAws>>;

/** The parts of AWS that operators need, over HTTP, for one test. Nothing is deployed there. */
export const fakeAws = async () => {
  const objects = new Map<string, string>();
  const stacks = new Map<string, Stack>();
  const changeStack = cloudFormation(stacks, objects);

  const server = createServer(async (message, response) => {
    const { method = '', url = '', headers } = message;
    const body = await text(message);
    const [path = '', query = ''] = url.split('?');
    const scope = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '');
    const [, accessKey = '?', service = '?'] = scope ?? [];
    aws.signers.set(service, accessKey);
    const parameters = new URLSearchParams(body.startsWith('Action=') ? body : query);
    const target = String(headers['x-amz-target'] ?? '').split('.')[1];
    const action = target ?? parameters.get('Action') ?? `${method} ${service === 's3' ? '' : path}`.trim();
    const call = `${service} ${action}`;
    const stack = parameters.get('StackName')?.replace(/^arn:.*:stack\/(.*)\/.*$/, '$1');
    aws.calls.push(stack ? `${call} ${stack}` : call);
    if (aws.silent?.test(call)) {
      return;
    }
    if (call === 's3 PUT') {
      objects.set(path, body);
    }
    const services: Record<string, () => Reply> = {
      s3: () => (objects.has(path) || method === 'GET' ? { xml: '<Result/>' } : { status: 404 }),
      cloudformation: () => changeStack(action, stack ?? '', parameters),
    };
    const reply = aws.replies.get(call) ?? wellBehaved[call] ?? services[service]?.();
    const { status = 200, xml, json } = reply ?? jsonError('Unknown', `no ${call} here`);
    response.writeHead(status, { 'Content-Type': json === undefined ? 'text/xml' : 'application/x-amz-json-1.1' });
    response.end(json === undefined ? xml : JSON.stringify(json));
  });
  const { address, close } = await listen(server);

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
    stacks,
    /** Makes every SDK and CLI of a child process talk to it. */
    environment: {
      AWS_ENDPOINT_URL: `http://${address}`,
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-west-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    } as Record<string, string>,
    close,
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
