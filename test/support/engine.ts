import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import dynalite from 'dynalite';
import { listen } from '../../local/shared/local-server.ts';
import { dynamodbProxy, pass } from './dynamodb-proxy.ts';

/** The directory of Amazon's DynamoDB Local, if on-dynamodb-local.ts has set it. The tests then run on that engine. */
export const dynamodbLocal = process.env.DYNAMODB_LOCAL_DIRECTORY;

/** Starts the engine that the tests run on, without tables. It does not keep the process alive. */
export const startEngine = (): Promise<{ endpoint: string; stop(): void }> => {
  const { TEST_DYNAMODB_ENDPOINT: shared } = process.env;
  if (dynamodbLocal === undefined) {
    return startDynalite();
  }
  return shared === undefined ? startDynamodbLocal(dynamodbLocal) : engineWithin(shared);
};

/** Uses the shared DynamoDB Local, where each access key has its own tables: starting one is slower than most tests. */
const engineWithin = async (shared: string) => {
  const credential = `Credential=${crypto.randomUUID().replaceAll('-', '')}/`;
  const { endpoint, close } = await dynamodbProxy(shared, (passing) => {
    const { authorization = '' } = passing.headers;
    passing.headers.authorization = authorization.replace(/Credential=\w+\//, credential);
    return pass(passing);
  });
  return { endpoint, stop: close };
};

const startDynalite = async () => {
  const engine = dynalite({ createTableMs: 0 });
  engine.on('connection', (socket) => socket.unref());
  const { address, close } = await listen(engine);
  engine.unref();
  return { endpoint: `http://${address}`, stop: close };
};

const startDynamodbLocal = async (directory: string) => {
  const { address, close } = await listen(createServer());
  // The port was free a moment ago, so the engine can use it.
  await close();
  const endpoint = `http://${address}`;
  const java = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const options = ['-inMemory', '-disableTelemetry', '-port', new URL(endpoint).port];
  const engine = spawn('java', [...java, ...options], { cwd: join(directory, 'package/emulator'), stdio: 'ignore' });
  const ended = once(engine, 'exit').then(() => Promise.reject(new Error('DynamoDB Local ended.')));
  ended.catch(() => {});
  engine.unref();
  const responds = () => fetch(endpoint).then(Boolean, () => false);
  while (!(await Promise.race([responds(), ended]))) {
    await sleep(100);
  }
  return { endpoint, stop: () => void engine.kill() };
};
