import { type AttributeValue, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Script } from '../../support/dynamodb/dynamodb.ts';
import { dynamodbProxy, type Passing, pass } from '../../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../../support/dynamodb/engine.ts';
import { engineClient, localRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';

export interface Fault {
  on: 'UpdateItem' | 'Scan' | 'GetItem';
  /** Selects the calls to which the fault may happen. Default: all. */
  where?: (input: Passing['body']) => boolean;
  /** The number of calls to which the fault happens. Default: unlimited. */
  times?: number;
  what: Script;
}

export type FaultyRun = Awaited<ReturnType<typeof faultyRun>>;

/**
 * Starts the service with a proxy between its functions and the engine. The proxy forwards every
 * call to which no fault happens. The client in `tables` bypasses the proxy.
 * @param pageSize entries per page of a scan, whatever the function requests, because DynamoDB may
 * return fewer, too
 * @param options more options of `petstore start`
 */
export const faultyRun = async (pageSize?: number, ...options: string[]) => {
  const faults = new Set<Required<Fault> & { happened: boolean }>();
  const calls: Passing[] = [];
  const { endpoint, stop } = await startEngine();
  const proxy = await dynamodbProxy(endpoint, async (call) => {
    const { operation, body } = call;
    calls.push(call);
    if (operation === 'Scan' && pageSize) {
      body.Limit = pageSize;
    }
    const fault = [...faults].find(
      ({ on, where, times }) => on === operation && times > 0 && where(body),
    );
    if (fault) {
      fault.times -= 1;
      fault.happened = true;
    }
    await (fault?.what ?? pass)(call);
    return 'written';
  });
  atEnd(stop);
  atEnd(proxy.close);
  const run = await localRun('--dynamodb', proxy.endpoint, ...options);
  const client = engineClient(endpoint);
  const TableName = run.tables.inventory;
  return {
    ...run,
    tables: { ...run.tables, client },
    /** Stores an item of the inventory in the engine. */
    put: (Item: Record<string, AttributeValue>) =>
      client.send(new PutItemCommand({ TableName, Item })),
    /** Returns the items of the inventory as the engine stores them. */
    entries: async () => (await client.send(new ScanCommand({ TableName }))).Items ?? [],
    /**
     * Returns how many calls of an operation there have been, without the retries that a busy
     * machine causes.
     */
    count: (name: string) =>
      calls.filter(
        ({ operation, headers }) =>
          operation === name && /^attempt=1;/.test(`${headers['amz-sdk-request']}`),
      ).length,
    /** Returns how many calls are in flight. */
    callsUnderWay: () =>
      calls.filter(
        // If its client has left early enough, a response never closes, although its socket has.
        ({ response }) => !response.closed && !response.socket?.destroyed,
      ).length,
    /** Returns the log lines about instances that have exited, or null if there are none. */
    instanceExits: () => run.log().match(/^RequestId: .* Error: .*$/gm),
    /**
     * Injects a fault for `times` calls. Returns a function that ends the fault and returns whether
     * it happened.
     */
    inject: (fault: Fault) => {
      const active = {
        where: () => true,
        times: Number.POSITIVE_INFINITY,
        happened: false,
        ...fault,
      };
      faults.add(active);
      return () => faults.delete(active) && active.happened;
    },
    /** Resets every connection to the engine until the returned function is called. */
    startOutage: proxy.startOutage,
  };
};
