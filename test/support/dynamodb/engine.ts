import { listen } from '../../../local/shared/local-server.ts';
import { dynalite } from '../../../local/tables/dynalite-with-transactions.ts';
import { dynamodbProxy, pass } from './dynamodb-proxy.ts';

/**
 * The endpoint of Amazon's DynamoDB Local, if the suite `tables` runs. Its tests then run on that
 * engine.
 */
export const dynamodbLocal = process.env.DYNAMODB_LOCAL_ENDPOINT;

/** Starts the engine that the tests run on, without tables. It does not keep the process alive. */
export const startEngine = (): Promise<{ endpoint: string; stop(): void }> =>
  dynamodbLocal === undefined ? startDynalite() : engineWithin(dynamodbLocal);

/**
 * Uses the shared DynamoDB Local, where each access key has its own tables: starting one is slower
 * than most tests.
 */
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
