import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { atEnd } from '../../support/at-end.ts';
import type { Script } from '../../support/dynamodb.ts';
import { dynamodbProxy, type Passing, pass } from '../../support/dynamodb-proxy.ts';
import { startEngine } from '../../support/engine.ts';
import { engineClient, localRun } from '../../support/local-run.ts';

export interface Fault {
  on: 'UpdateItem' | 'Scan' | 'GetItem';
  /** Which of these calls it may happen to; without it, all. */
  where?: (input: Passing['body']) => boolean;
  /** How many calls it happens to; without it, all. */
  times?: number;
  what: Script;
}

export type FaultyRun = Awaited<ReturnType<typeof faultyRun>>;

/**
 * Starts the service with a proxy between its functions and their engine, which hands every call on, but for those
 * that a fault happens to. Its tables' client is one of the engine itself, to which nothing happens.
 * @param pageSize entries a page of a scan, whatever the function asks for: DynamoDB too may send fewer
 */
export const faultyRun = async (pageSize?: number) => {
  const faults = new Set<Required<Fault> & { happened: boolean }>();
  const calls: string[] = [];
  let underWay = 0;
  const { endpoint, stop } = await startEngine();
  const proxy = await dynamodbProxy(endpoint, async (call) => {
    const { operation, body, response } = call;
    calls.push(operation);
    underWay += 1;
    response.on('close', () => {
      underWay -= 1;
    });
    if (operation === 'Scan' && pageSize) {
      body.Limit = pageSize;
    }
    const fault = [...faults].find(({ on, where, times }) => on === operation && times > 0 && where(body));
    if (fault) {
      fault.times -= 1;
      fault.happened = true;
    }
    await (fault?.what ?? pass)(call);
    return 'written';
  });
  atEnd(stop);
  atEnd(proxy.close);
  const run = await localRun('--dynamodb', proxy.endpoint);
  const client = engineClient(endpoint);
  return {
    ...run,
    tables: { ...run.tables, client },
    /** What the engine holds of the inventory. */
    entries: async () => (await client.send(new ScanCommand({ TableName: run.tables.inventory }))).Items ?? [],
    /** How many calls of an operation there were. */
    count: (of: string) => calls.filter((operation) => operation === of).length,
    /** How many calls have neither a response nor an end. */
    callsUnderWay: () => underWay,
    /** What the log says of instances that have ended. */
    ended: () => run.log().match(/^RequestId: .* Error: .*$/gm),
    /** Begins a fault, which ends when it has happened so often, or when what is returned is called: whether it happened. */
    inject: (fault: Fault) => {
      const active = { where: () => true, times: Number.POSITIVE_INFINITY, happened: false, ...fault };
      faults.add(active);
      return () => faults.delete(active) && active.happened;
    },
    /** Rejects every connection to the engine, until what it returns is called. */
    leave: () => {
      proxy.close();
      return proxy.reopen;
    },
  };
};
