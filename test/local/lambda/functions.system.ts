import { once } from 'node:events';
import { describe, expect, jest, test } from '@jest/globals';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { lambdaFunctions } from '../../../local/lambda/functions.ts';
import { inspectedFunction } from '../../../local/lambda/inspected-function.ts';
import { startInstance } from '../../../local/lambda/instance.ts';
import {
  evaluating,
  optionsFor,
  storeCode,
  taskRoot,
} from '../../support/local/fixture-function.ts';
import { atEnd } from '../../support/process/at-end.ts';

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
  for (const lambda of created.values()) {
    atEnd(lambda.close);
  }
  return created;
};

const arn = 'arn:aws:lambda:eu-west-1:111111111111:function:test-First';
const invoke = async (script: string, more: object = {}) =>
  functionsWith(more).get(arn)?.invoke(script);

test('the functions of a stack are known by ARN', () => {
  expect([...functionsWith({}).keys()]).toEqual([arn, arn.replace('First', 'Second')]);
});

test("a function has its environment from the template, this machine's tables, and no more", async () => {
  process.env.SECRET_OF_THE_SHELL = 'secret';
  const environment = await invoke('process.env');
  delete process.env.SECRET_OF_THE_SHELL;
  expect(environment).toMatchObject({
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
    PATH: process.env.PATH,
    TZ: ':UTC',
  });
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

describe('an instance', () => {
  test('fails when its process cannot be started', async () => {
    const { process: child, idle, end } = await startInstance(optionsFor(''));
    child.emit('error', new Error('spawn node EMFILE'));
    await expect(idle()).rejects.toMatchObject({
      name: 'FunctionError',
      message: 'spawn node EMFILE',
    });
    end();
  });

  test('ends with the process that started it', async () => {
    const code = `setInterval(() => {}, 1000);${evaluating}`;
    const instance = await startInstance(optionsFor(code));
    await instance.idle();
    const ended = once(instance.process, 'exit');
    instance.process.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  test('outlives a Ctrl-C, which reaches it as well as its parent process', async () => {
    const instance = await startInstance(optionsFor(evaluating));
    await instance.idle();
    instance.process.kill('SIGINT');
    await instance.invoke('"1 + 1"');
    await instance.idle();
    expect(instance.process.exitCode).toBeNull();
    instance.end();
  });

  test('that is ended says nothing', async () => {
    const logged: string[] = [];
    const options = { ...optionsFor(evaluating), log: (line: string) => void logged.push(line) };
    const instance = await startInstance(options);
    await instance.idle();
    const ended = once(instance.process, 'exit');
    instance.end();
    await ended;
    expect(logged).toEqual([]);
  });
});

test('a debugger may stop a function for an hour at init, in an invocation, and before others', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const begun = Promise.withResolvers<string>();
  const options = { ...optionsFor(evaluating), log: begun.resolve };
  const { inspector, invoke, close } = inspectedFunction(options, 0);
  atEnd(close);
  await inspector;
  jest.advanceTimersByTime(3_600_000);
  const stopped = "process.stdout.write('begun\\n'); sleep(100).then(() => 1)";
  const invocations = [invoke(stopped), invoke('2')];
  expect(await begun.promise).toBe('begun');
  jest.advanceTimersByTime(3_600_000);
  expect(await Promise.all(invocations)).toEqual([1, 2]);
  jest.useRealTimers();
});
