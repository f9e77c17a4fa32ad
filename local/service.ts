import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { copyAssembly, synthesize } from '../infra/assembly/synthesize.ts';
import { issueApiKey } from '../ops/keys/issued-keys.ts';
import { loadSample } from '../ops/load-sample.ts';
import { accessLine, logFailures, readableLine } from './gateway/access-log.ts';
import { gateway } from './gateway/gateway.ts';
import { isManagement, managementApi } from './gateway/management-api.ts';
import { readRestApi } from './gateway/rest-api.ts';
import { lambdaFunctions } from './lambda/lambda-function.ts';
import { apiPage, isApiPage } from './page/api-page.ts';
import { startTables, type TableOptions } from './tables/tables.ts';

export interface ServiceOptions extends TableOptions {
  stageName: string;
  /** 0 picks a free one. */
  port: number;
  /** Directory of a cloud assembly (`cdk.out`); without it one is synthesized. */
  app: string | undefined;
  /** Logs as they would be in CloudWatch; without it one readable line a request, and failures. */
  jsonLogs: boolean;
}

export interface Service {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** A new key of the stage. */
  apiKey: string;
  restApiId: string;
  tables: { endpoint: string; inventory: string; apiKeys: string };
  /** Cuts open connections, ends the functions and closes the tables. */
  close(): Promise<void>;
}

/** Runs a stage of the service on this machine, from its synthesized template. */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { stageName, port, app, jsonLogs, ...tableOptions } = options;
  await using started = new AsyncDisposableStack();

  // Taken first: a port in use is said before the seconds that the rest takes.
  const ready = Promise.withResolvers<RequestListener>();
  const server = createServer({ requestTimeout: 30_000, maxHeaderSize: 10_240 }, async (message, response) =>
    (await ready.promise)(message, response),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  started.defer(() => {
    server.close();
    server.closeAllConnections();
  });

  if (app === undefined) {
    console.error('Synthesizing the stack, which takes some seconds…');
  }
  const stack = readStack(app === undefined ? await synthesize(stageName) : copyAssembly(app), stageName);
  const tables = await startTables(stack, tableOptions);
  started.defer(tables.close);
  const functions = lambdaFunctions(stack, tables.endpoint, jsonLogs ? console.log : logFailures);
  started.defer(() => functions.forEach((lambda) => void lambda.close()));

  const { InventoryTableName = '', ApiKeysTableName = '', BaseUrl = '' } = stack.outputs;
  const apiKeysTable = { client: tables.client, TableName: ApiKeysTableName };
  // Before the sample: a new DynamoDB Local may fail if the first conditions that it reads come all at once.
  const { apiKey } = await issueApiKey(apiKeysTable, stageName, { name: 'npm start' });
  if (tables.created.includes(InventoryTableName)) {
    await loadSample({ client: tables.client, TableName: InventoryTableName }, stageName);
  }
  const { port: actualPort } = server.address() as AddressInfo;
  const baseUrl = BaseUrl.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${actualPort}`);
  const restApi = readRestApi(stack, functions);
  const api = gateway(restApi, (record) =>
    console.log(jsonLogs ? accessLine(restApi.accessLogFormat, record) : readableLine(record)),
  );
  const page = apiPage(baseUrl);
  const management = managementApi(restApi);
  const listenerOf = (url: string) => (isApiPage(url) && page) || (isManagement(url) && management) || api;
  ready.resolve((message, response) => listenerOf(message.url ?? '')(message, response));

  const running = started.move();
  return {
    baseUrl,
    apiKey,
    restApiId: restApi.id,
    tables: { endpoint: tables.endpoint, inventory: InventoryTableName, apiKeys: ApiKeysTableName },
    close: () => running.disposeAsync(),
  };
};
