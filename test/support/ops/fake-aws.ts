import { text } from 'node:stream/consumers';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { serve } from '../http/serve.ts';

interface FakeStack {
  status?: string;
  outputs?: Record<string, string>;
}

const element = (name: string, ...contents: string[]): string =>
  `<${name}>${contents.join('')}</${name}>`;

const account = '111122223333';

const describeStacks = (
  stackName: string,
  { status = 'UPDATE_COMPLETE', outputs = {} }: FakeStack,
): string => {
  const members = Object.entries(outputs).map(([key, value]) =>
    element('member', element('OutputKey', key), element('OutputValue', value)),
  );
  const id = `arn:aws:cloudformation:us-east-1:${account}:stack/${stackName}/1`;
  const stack = [
    element('StackId', id),
    element('StackStatus', status),
    element('Outputs', ...members),
  ];
  return element('Stacks', element('member', ...stack));
};

const failure = (code: string, message: string): string =>
  element('ErrorResponse', element('Error', element('Code', code), element('Message', message)));

/**
 * Serves the CloudFormation of an AWS account with these stacks, until the test file ends.
 * @param denied a message with which it denies every call
 */
export const fakeAws = async (stacks: Record<string, FakeStack>, denied?: string) => {
  /** The calls in order, each as `cloudformation:ACTION STACK`. */
  const calls: string[] = [];
  const answer = (action: string, stackName: string): { status: number; body: string } => {
    const stack = stacks[stackName];
    if (denied !== undefined) {
      return { status: 403, body: failure('AccessDenied', denied) };
    }
    if (stack === undefined) {
      const message = `Stack with id ${stackName} does not exist`;
      return { status: 400, body: failure('ValidationError', message) };
    }
    const result = describeStacks(stackName, stack);
    return { status: 200, body: element(`${action}Response`, element(`${action}Result`, result)) };
  };
  const endpoint = await serve(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    const { Action: action = '', StackName: stackName = '' } = Object.fromEntries(parameters);
    calls.push(`cloudformation:${action} ${stackName}`);
    const { status, body } = answer(action, stackName);
    response.writeHead(status).end(body);
  });
  return {
    calls,
    /** Environment variables that make the SDK use this account. */
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_REGION: 'us-east-1',
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
