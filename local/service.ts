import { createServer, type RequestListener } from 'node:http';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { accessLine, logFailures, readableLine } from './gateway/access-log.ts';
import { gateway } from './gateway/gateway.ts';
import { isManagement, managementApi } from './gateway/management-api.ts';
import { readRestApi } from './gateway/rest-api.ts';
import { lambdaFunctions } from './lambda/functions.ts';
import { apiPage, isApiPage } from './page/api-page.ts';
import { listen } from './shared/local-server.ts';
import { startTables, type TableOptions } from './tables/tables.ts';

export interface ServiceOptions extends TableOptions {
  stageName: string;
  /** The port to listen on; 0 picks a free one. */
  port: number;
  /**
   * Returns the directory of a cloud assembly that nobody else changes. Called once the port is
   * bound.
   */
  assembly: () => string | Promise<string>;
  /**
   * Whether to print logs as CloudWatch would hold them; otherwise one readable line per request,
   * and failures.
   */
  jsonLogs: boolean;
}

/** Runs a stage of the service on this machine, from its synthesized template. */
export const startService = async (options: ServiceOptions) => {
  const { stageName, port, assembly, jsonLogs, ...tableOptions } = options;
  await using started = new AsyncDisposableStack();

  // The port is bound first, so that a port in use is reported at once, not after the seconds that
  // the rest takes.
  const ready = Promise.withResolvers<RequestListener>();
  const server = createServer(
    { requestTimeout: 30_000, maxHeaderSize: 10_240 },
    async (message, response) => (await ready.promise)(message, response),
  );
  const { address, close } = await listen(server, port);
  started.defer(close);

  const stack = readStack(await assembly(), stageName);
  const { close: closeTables, ...tables } = await startTables(stack, tableOptions);
  started.defer(closeTables);
  const functions = lambdaFunctions(stack, tables.endpoint, jsonLogs ? console.log : logFailures);
  started.defer(() => functions.forEach((lambda) => void lambda.close()));

  const restApi = readRestApi(stack, functions);
  const baseUrl = `http://${address}/${restApi.stageName}/v1`;
  const api = gateway(restApi, (record) =>
    console.log(jsonLogs ? accessLine(restApi.accessLogFormat, record) : readableLine(record)),
  );
  const page = apiPage(baseUrl);
  const management = managementApi(restApi);
  const listenerOf = (url: string) =>
    (isApiPage(url) && page) || (isManagement(url) && management) || api;
  // Runs before the functions and the tables close, so that requests in flight are cut off and get
  // no error response.
  started.defer(close);
  ready.resolve((message, response) => listenerOf(message.url ?? '')(message, response));

  const running = started.move();
  return {
    /** URL of the API, ending in `/v1`. */
    baseUrl,
    restApiId: restApi.id,
    account: stack.account,
    /** The DynamoDB engine, usable until the service closes, and the names of the two tables. */
    tables: {
      ...tables,
      inventory: stack.output('InventoryTableName'),
      apiKeys: stack.output('ApiKeysTableName'),
    },
    /** Cuts open connections, ends the functions and closes the tables. */
    close: () => running.disposeAsync(),
  };
};
