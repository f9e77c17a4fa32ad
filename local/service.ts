import { createServer, type RequestListener } from 'node:http';
import { readStack, type SynthesizedStack } from '../infra/assembly/resolved-stack.ts';
import { type ServedVersion, servedVersion } from './served-version.ts';
import { listen } from './shared/local-server.ts';
import { createTables, startTables, type TableOptions } from './tables/tables.ts';

interface ServiceOptions extends TableOptions {
  stageName: string;
  /** The port to listen on; 0 picks a free one. */
  port: number;
  /**
   * Returns the directory of a cloud assembly that nobody else uses. Called once the port is bound.
   */
  assembly: () => string | Promise<string>;
  /**
   * Whether to print logs as CloudWatch would hold them; otherwise one readable line per request,
   * and failures.
   */
  jsonLogs: boolean;
  /**
   * The port of the first function's inspector, of which the others take the next ones; 0 picks a
   * free port for each. Undefined: the functions have no inspectors.
   */
  inspectPort: number | undefined;
}

/** Runs a stage of the service on this machine, from its synthesized template. */
export const startService = async (options: ServiceOptions) => {
  const { stageName, port, assembly } = options;
  await using started = new AsyncDisposableStack();

  // The port is bound first, so that a port in use is reported at once, not after the seconds that
  // the rest takes.
  const { promise: listener, resolve: startServing } = Promise.withResolvers<RequestListener>();
  const server = createServer(
    { requestTimeout: 30_000, maxHeaderSize: 10_240 },
    async (message, response) => (await listener)(message, response),
  );
  const { address, close } = await listen(server, port);
  started.defer(close);

  const directory = await assembly();
  const stack = readStack(directory, stageName);
  const { close: closeTables, ...tables } = await startTables(stack, options);
  started.defer(closeTables);
  const common = { ...options, address, dynamodbEndpoint: tables.endpoint };
  const first = servedVersion({ ...common, assembly: directory, stack });
  const versions = versionsFrom(first);
  started.defer(versions.close);
  const inspectors = await first.inspectors();
  startServing(versions.listener);

  const running = started.move();
  return {
    /** URL of the API, ending in `/v1`. */
    baseUrl: first.baseUrl,
    restApiId: first.restApiId,
    account: stack.account,
    /** The directory of the cloud assembly that is served at first. */
    assembly: directory,
    /** The URL of each function's inspector by ARN, if it has one. */
    inspectors,
    /** The DynamoDB engine, usable until the service closes, and the names of the two tables. */
    tables: { ...tables, ...tableNames(stack) },
    /**
     * Serves another cloud assembly that nobody else uses. Requests under way finish with the one
     * before. Tables stay, and missing ones are created.
     * @throws Error if the assembly cannot be served. The one before is then served further.
     */
    reload: async (changed: string): Promise<void> => {
      const next = readStack(changed, stageName);
      await createTables(tables.client, next);
      versions.replaceBy(servedVersion({ ...common, assembly: changed, stack: next }));
    },
    /** Ends the functions, closes the tables and cuts open connections. */
    close: () => running.disposeAsync(),
  };
};

/** Serves one version at a time. Those before it stay until their requests have ended. */
const versionsFrom = (first: ServedVersion) => {
  let current = first;
  const alive = new Set([first]);
  const listener: RequestListener = (message, response) => current.listener(message, response);
  const replaceBy = (next: ServedVersion): void => {
    const previous = current;
    current = next;
    alive.add(next);
    void previous.retire().then(() => alive.delete(previous));
  };
  const close = (): void => alive.forEach((version) => void version.close());
  return { listener, replaceBy, close };
};

const tableNames = (stack: SynthesizedStack) => ({
  inventory: stack.output('InventoryTableName'),
  apiKeys: stack.output('ApiKeysTableName'),
});
