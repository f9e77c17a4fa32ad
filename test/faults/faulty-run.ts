import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';
import dynalite from 'dynalite';
import { type LocalRun, localRun } from '../local-run.ts';
import { FaultProxy } from './fault-proxy.ts';

/** Its tables' client is one of the engine itself, to which nothing happens. */
export interface FaultyRun extends LocalRun {
  proxy: FaultProxy;
  /** How many instances of the functions of an operation have started. */
  instances(operation: string): number;
}

const leftovers: (() => void)[] = [];

afterAll(() => {
  for (const end of leftovers) {
    end();
  }
});

/** Starts the service with a fault proxy between its functions and their engine. */
export const faultyRun = async (): Promise<FaultyRun> => {
  const engine = dynalite({ createTableMs: 0 });
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const endpoint = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const proxy = new FaultProxy(endpoint);
  const run = await localRun('--dynamodb', await proxy.listen());
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  leftovers.push(() => {
    client.destroy();
    proxy.close();
    engine.close();
    engine.closeAllConnections();
  });
  const instances = (operation: string) =>
    run
      .log()
      .split('\n')
      .filter((line) => line.includes(`"operation":"${operation}"`) && line.includes('"ColdStarts":1')).length;
  return { ...run, tables: { ...run.tables, client }, proxy, instances };
};
