import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gateway } from './gateway.ts';
import { lambdaFunctions } from './lambda-function.ts';
import { readRestApi } from './rest-api.ts';
import { sampleInventory } from './sample-inventory.ts';
import { issueApiKey, putInventory } from './seed.ts';
import { synthesize } from './synthesize.ts';
import { readStack } from './synthesized-stack.ts';
import { startTables, type TableOptions } from './tables.ts';

export interface ServiceOptions {
  stageName: string;
  /** 0 picks a free one. */
  port: number;
  tables: TableOptions;
}

export interface Service {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** A new key of the stage. */
  apiKey: string;
  tables: { endpoint: string; inventory: string; apiKeys: string };
  /** Cuts open connections, ends the functions and closes the tables. */
  close(): Promise<void>;
}

/** Runs a stage of the service on this machine, from its synthesized template. */
export const startService = async ({ stageName, port, tables: tableOptions }: ServiceOptions): Promise<Service> => {
  await using started = new AsyncDisposableStack();

  // Taken first: a port in use is said before the seconds that the rest takes.
  const ready = Promise.withResolvers<RequestListener>();
  const server = createServer(async (message, response) => (await ready.promise)(message, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  started.defer(() => {
    server.close();
    server.closeAllConnections();
  });

  const stack = readStack(await synthesize(stageName), stageName);
  const tables = await startTables(stack, tableOptions);
  started.defer(tables.close);
  const functions = lambdaFunctions(stack, tables.endpoint);
  started.defer(() => functions.forEach((lambda) => void lambda.close()));

  const { InventoryTableName = '', ApiKeysTableName = '', BaseUrl = '' } = stack.outputs;
  if (tables.created.includes(InventoryTableName)) {
    await putInventory(tables.client, InventoryTableName, sampleInventory);
  }
  const apiKey = await issueApiKey(tables.client, ApiKeysTableName, stageName, { name: 'npm start' });
  ready.resolve(gateway(readRestApi(stack, functions)));

  const { port: actualPort } = server.address() as AddressInfo;
  const running = started.move();
  return {
    baseUrl: BaseUrl.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${actualPort}`),
    apiKey,
    tables: { endpoint: tables.endpoint, inventory: InventoryTableName, apiKeys: ApiKeysTableName },
    close: () => running.disposeAsync(),
  };
};
