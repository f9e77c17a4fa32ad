import type { ServerResponse } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect } from '@jest/globals';
import { childProcesses } from '../../support/child-processes.ts';
import { dynamodbProxy, type Passing, pass } from '../../support/dynamodb-proxy.ts';
import { startEngine } from '../../support/engine.ts';
import { localRun } from '../../support/local-run.ts';

export interface Fault {
  on: 'UpdateItem' | 'Scan' | 'GetItem';
  /** Which of these calls. */
  where: (input: Passing['body']) => boolean;
  /** What happens instead of the call. */
  what: (call: Passing) => unknown;
  /** How many calls it happens to. */
  times: number;
}

const leftovers: (() => void)[] = [];

afterAll(() => {
  for (const end of leftovers) {
    end();
  }
});

export type FaultyRun = Awaited<ReturnType<typeof faultyRun>>;

/**
 * Starts the service with a proxy between its functions and their engine, which hands every call on, but for those
 * that a fault happens to. Its tables' client is one of the engine itself, to which nothing happens.
 * @param pageSize entries a page of a scan, whatever the function asks for: DynamoDB too may send fewer
 */
export const faultyRun = async (pageSize?: number) => {
  const faults = new Set<Fault>();
  /** In order. */
  const calls: Pick<Passing, 'operation' | 'body'>[] = [];
  const underWay = new Set<ServerResponse>();
  const { endpoint, stop } = await startEngine();
  const proxy = await dynamodbProxy(endpoint, async (call) => {
    const { operation, body, response } = call;
    underWay.add(response.on('close', () => underWay.delete(response)));
    calls.push({ operation, body: { ...body } });
    if (operation === 'Scan') {
      Object.assign(body, pageSize && { Limit: pageSize });
    }
    const fault = [...faults].find(({ on, where, times }) => on === operation && times > 0 && where(body));
    if (fault) {
      fault.times -= 1;
    }
    await (fault?.what ?? pass)(call);
    return 'written';
  });
  leftovers.push(stop, proxy.close);
  const run = await localRun('--dynamodb', proxy.endpoint);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  leftovers.push(() => client.destroy());

  let warm: number[] = [];
  const instances = () => childProcesses(run.process.pid);
  return {
    ...run,
    tables: { ...run.tables, client },
    /** How many calls of an operation there were. */
    count: (of: string) => calls.filter(({ operation }) => operation === of).length,
    calls,
    /** How many calls have neither a response nor an end. */
    callsUnderWay: () => underWay.size,
    /** Begins a fault, which ends when it has happened so often, or when what is returned is called. */
    inject: (fault: Fault) => {
      const active = { ...fault };
      faults.add(active);
      return () => faults.delete(active);
    },
    /** Rejects every connection to the engine, until what it returns is called. */
    leave: () => {
      proxy.close();
      return proxy.reopen;
    },
    /** Remembers the instances of its functions, which must outlive whatever happens. */
    noteInstances: () => {
      warm = instances();
    },
    expectSameInstances: () => {
      expect(warm.length).toBeGreaterThan(1);
      expect(instances()).toEqual(expect.arrayContaining(warm));
    },
  };
};
