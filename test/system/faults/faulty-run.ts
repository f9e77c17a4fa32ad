import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';
import { childProcesses } from '../../support/child-processes.ts';
import { startEngine } from '../../support/engine.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { FaultProxy } from './fault-proxy.ts';

/** Its tables' client is one of the engine itself, to which nothing happens. */
export interface FaultyRun extends LocalRun {
  proxy: FaultProxy;
  /** Process ids of the instances of its functions, as they are now. */
  instances(): number[];
}

const leftovers: (() => void)[] = [];

afterAll(() => {
  for (const end of leftovers) {
    end();
  }
});

/** Starts the service with a fault proxy between its functions and their engine. */
export const faultyRun = async (): Promise<FaultyRun> => {
  const { endpoint, stop } = await startEngine();
  leftovers.push(stop);
  const proxy = new FaultProxy(endpoint);
  leftovers.push(() => proxy.close());
  const run = await localRun('--dynamodb', await proxy.listen());
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  leftovers.push(() => client.destroy());
  const instances = () => childProcesses(run.process.pid);
  return { ...run, tables: { ...run.tables, client }, proxy, instances };
};
