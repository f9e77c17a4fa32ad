import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jsonError, type Reply, topicAttributes } from './aws-reply.ts';
import { type CloudFormation, cloudFormation } from './fake-cloudformation.ts';
import type { LocalRun } from './local-run.ts';

export { jsonError, type Reply, xmlError } from './aws-reply.ts';

export interface FakeAws extends CloudFormation {
  /** Makes every SDK and CLI of a child process talk to it. */
  environment: Record<string, string>;
  /** What was asked, as `service Action`, in order. */
  calls: string[];
  /** Responses that differ from those of an account where all is well, by `service Action`. */
  replies: Map<string, Reply>;
  /** Calls that never get a response. */
  silent: RegExp | undefined;
  close(): Promise<void>;
}

const account = '111122223333';
const identity = `<Account>${account}</Account><Arn>arn:aws:iam::${account}:user/operator</Arn><UserId>AIDA</UserId>`;
const credentials =
  '<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>' +
  '<Expiration>2099-01-01T00:00:00Z</Expiration>';

const wellBehaved: Record<string, Reply> = {
  'sts GetCallerIdentity': {
    xml: `<GetCallerIdentityResponse><GetCallerIdentityResult>${identity}</GetCallerIdentityResult></GetCallerIdentityResponse>`,
  },
  'sts AssumeRole': {
    xml: `<AssumeRoleResponse><AssumeRoleResult><Credentials>${credentials}</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  },
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
  const calls: string[] = [];
  const replies = new Map<string, Reply>();
  const objects = new Map<string, string>();
  const stacks = cloudFormation(objects);

  const s3 = (method: string, path: string, body: string): Reply => {
    if (method === 'PUT') {
      objects.set(path, body);
      return {};
    }
    return objects.has(path) || method === 'GET' ? { xml: '<Result/>' } : { status: 404 };
  };

  const reply = async (message: IncomingMessage): Promise<Reply | undefined> => {
    const body = await text(message);
    const [path = '', query = ''] = (message.url ?? '').split('?');
    const service = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(message.headers.authorization ?? '')?.[1] ?? '?';
    const parameters = new URLSearchParams(body.startsWith('Action=') ? body : query);
    const target = String(message.headers['x-amz-target'] ?? '').split('.')[1];
    const action = target ?? parameters.get('Action') ?? `${message.method} ${service === 's3' ? '' : path}`.trim();
    const call = `${service} ${action}`;
    const subject = parameters.get('StackName')?.replace(/^arn:.*:stack\/(.*)\/.*$/, '$1');
    calls.push(subject ? `${call} ${subject}` : call);
    if (aws.silent?.test(call)) {
      return undefined;
    }
    const own = replies.get(`${call} ${subject}`) ?? replies.get(call) ?? wellBehaved[call];
    if (own) {
      return own;
    }
    if (service === 's3') {
      return s3(message.method ?? '', path, body);
    }
    return service === 'cloudformation' ? stacks.reply(action, parameters) : jsonError('Unknown', `no ${call} here`);
  };

  const server = createServer(async (message, response: ServerResponse) => {
    const found = await reply(message);
    if (!found) {
      return;
    }
    const { status = 200, xml, json } = found;
    response.writeHead(status, { 'Content-Type': json === undefined ? 'text/xml' : 'application/x-amz-json-1.1' });
    response.end(json === undefined ? xml : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const aws: FakeAws = {
    ...stacks,
    calls,
    replies,
    silent: undefined,
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
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
export const awsAround = async (run: LocalRun): Promise<FakeAws> => {
  const aws = await fakeAws();
  for (const stage of ['staging', 'prod']) {
    const name = `${stage}-petstore-inventory`;
    aws.stacks.set(name, { status: 'UPDATE_COMPLETE', template: '' });
    aws.outputs.set(name, {
      BaseUrl: run.baseUrl,
      RestApiId: 'local',
      InventoryTableName: run.tables.inventory,
      ApiKeysTableName: run.tables.apiKeys,
    });
  }
  Object.assign(aws.environment, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: run.tables.endpoint,
    AWS_ENDPOINT_URL_API_GATEWAY: new URL(run.baseUrl).origin,
  });
  return aws;
};
