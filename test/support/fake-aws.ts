import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jsonError, type Reply, topicAttributes } from './aws-reply.ts';
import { cloudFormation, type Stack, xmlResult } from './fake-cloudformation.ts';
import type { LocalRun } from './local-run.ts';

export { jsonError, type Reply, xmlError } from './aws-reply.ts';

export interface FakeAws {
  /** Makes every SDK and CLI of a child process talk to it. */
  environment: Record<string, string>;
  /** What was asked, as `service Action` and the name of a stack, in order. */
  calls: string[];
  /** The access key that the last call of each service was signed with. */
  signers: Map<string, string>;
  /** Responses that differ from those of an account where all is well, by `service Action`. */
  replies: Map<string, Reply>;
  /** Calls that never get a response. */
  silent: RegExp | undefined;
  /** By name. */
  stacks: Map<string, Stack>;
  close(): Promise<void>;
}

const account = '111122223333';
const session = { AccessKeyId: 'ASIA', SecretAccessKey: 'secret', SessionToken: 'token' };
const identity = { Account: account, Arn: `arn:aws:iam::${account}:user/operator`, UserId: 'AIDA' };

const wellBehaved: Record<string, Reply> = {
  'sts GetCallerIdentity': xmlResult('GetCallerIdentity', identity),
  'sts AssumeRole': xmlResult('AssumeRole', { Credentials: { ...session, Expiration: '2099-01-01T00:00:00Z' } }),
  'ssm GetParameter': { json: { Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Value: '31' } } },
  'apigateway GET /account': {
    json: {
      cloudwatchRoleArn: `arn:aws:iam::${account}:role/logs`,
      throttleSettings: { rateLimit: 10_000, burstLimit: 5_000 },
    },
  },
  'dynamodb ListTables': { json: { TableNames: [] } },
  'sns GetTopicAttributes': topicAttributes(1, 0),
  'lambda GET /2016-08-19/account-settings': {
    json: { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } },
  },
};

/** The parts of AWS that operators need, over HTTP, for one test. Nothing is deployed there. */
export const fakeAws = async (): Promise<FakeAws> => {
  const objects = new Map<string, string>();
  const stacks = new Map<string, Stack>();
  const changeStack = cloudFormation(stacks, objects);

  const s3 = (method: string, path: string, body: string): Reply => {
    if (method === 'PUT') {
      objects.set(path, body);
    }
    return objects.has(path) || method === 'GET' ? { xml: '<Result/>' } : { status: 404 };
  };

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
    const services: Record<string, () => Reply> = {
      s3: () => s3(method, path, body),
      cloudformation: () => changeStack(action, stack ?? '', parameters),
    };
    const reply = aws.replies.get(call) ?? wellBehaved[call] ?? services[service]?.();
    const { status = 200, xml, json } = reply ?? jsonError('Unknown', `no ${call} here`);
    response.writeHead(status, { 'Content-Type': json === undefined ? 'text/xml' : 'application/x-amz-json-1.1' });
    response.end(json === undefined ? xml : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const aws: FakeAws = {
    calls: [],
    signers: new Map(),
    replies: new Map(),
    silent: undefined,
    stacks,
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-west-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
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
