import { afterAll, expect, test } from '@jest/globals';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { lambdaFunctions } from '../../../local/lambda/functions.ts';
import { evaluating, storeCode, taskRoot } from '../../support/local/fixture-function.ts';

const properties = {
  Code: { S3Key: 'abc.zip' },
  Handler: storeCode(evaluating),
  Environment: { Variables: { STAGE_NAME: 'test', AWS_ENDPOINT_URL_DYNAMODB: 'http://wrong' } },
  LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'DEBUG', LogGroup: 'log-group' },
  MemorySize: 512,
  Timeout: 7,
};

/** Creates the functions of a stack. The first has these properties. */
const functionsWith = (more: object, log: (line: string) => void = () => {}) => {
  const functions = { First: { ...properties, ...more }, Second: properties };
  const stack = {
    account: { accountId: '111111111111', region: 'eu-west-1' },
    ref: (logicalId: string) => `test-${logicalId}`,
    resources: (type: string) =>
      new Map(type === 'AWS::Lambda::Function' ? Object.entries(functions) : []),
    assetDirectory: (key: string) => (key === 'abc.zip' ? taskRoot : ''),
  } as unknown as SynthesizedStack;
  const created = lambdaFunctions({ stack, dynamodbEndpoint: 'http://tables', log });
  closing.push(...created.values());
  return created;
};
const closing: { close(): void }[] = [];
afterAll(() => {
  for (const lambda of closing) {
    lambda.close();
  }
});

const arn = 'arn:aws:lambda:eu-west-1:111111111111:function:test-First';
const invoke = async (script: string, more: object = {}) =>
  functionsWith(more).get(arn)?.invoke(script);

test('the functions of a stack are known by ARN', () => {
  expect([...functionsWith({}).keys()]).toEqual([arn, arn.replace('First', 'Second')]);
});

test("a function has its environment from the template, but this machine's tables", async () => {
  const inherited = ['PATH'];
  const environment = (await invoke('process.env')) as Record<string, string>;
  const own = Object.entries(environment).filter(([name]) => !inherited.includes(name));
  expect(Object.fromEntries(own)).toMatchObject({
    STAGE_NAME: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://tables',
    AWS_LAMBDA_FUNCTION_NAME: 'test-First',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
    AWS_LAMBDA_LOG_GROUP_NAME: 'log-group',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_LEVEL: 'DEBUG',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  });
});

test("a function has nothing of this process's environment but the PATH", async () => {
  process.env.SECRET_OF_THE_SHELL = 'secret';
  const environment = await invoke('process.env');
  delete process.env.SECRET_OF_THE_SHELL;
  expect(environment).toMatchObject({ PATH: process.env.PATH });
  expect(environment).not.toHaveProperty('SECRET_OF_THE_SHELL');
});

test('a function has its timeout from the template', async () => {
  const milliseconds = Number(await invoke('context.getRemainingTimeInMillis()'));
  expect(milliseconds).toBeGreaterThan(5_000);
  expect(milliseconds).toBeLessThanOrEqual(7_000);
});

test('a function has its reserved concurrency from the template', async () => {
  const invocation = invoke('', { ReservedConcurrentExecutions: 0 });
  await expect(invocation).rejects.toThrow('All 0 instances have been busy');
});

test('what a function prints is logged', async () => {
  const logged = Promise.withResolvers<string>();
  await functionsWith({}, logged.resolve).get(arn)?.invoke("console.log('hello')");
  expect(JSON.parse(await logged.promise)).toMatchObject({ message: 'hello' });
});
