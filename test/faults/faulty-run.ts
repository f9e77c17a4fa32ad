import { execFileSync } from 'node:child_process';
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
  const instances = () =>
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/ +/).map(Number))
      .flatMap(([pid = 0, parent]) => (parent === run.process.pid ? [pid] : []));
  return { ...run, tables: { ...run.tables, client }, proxy, instances };
};
