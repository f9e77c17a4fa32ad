import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { readStack, type SynthesizedStack } from '../infra/assembly/resolved-stack.ts';
import { basePath } from '../infra/service/operations.ts';
import { gateway } from './gateway/gateway.ts';
import { isManagement, managementApi } from './gateway/management-api.ts';
import { type RestApi, readRestApi } from './gateway/rest-api.ts';
import { lambdaFunctions } from './lambda/functions.ts';
import { type AccessRecord, accessLine, isRequestLine, readableLine } from './log/access-log.ts';
import { printFailure, printLine } from './log/print.ts';
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
  const { stageName, port, assembly, jsonLogs, dataDirectory, endpoint } = options;
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

  const stack = readStack(await assembly(), stageName);
  const { close: closeTables, ...tables } = await startTables(stack, { dataDirectory, endpoint });
  started.defer(closeTables);
  const functions = lambdaFunctions({
    stack,
    dynamodbEndpoint: tables.endpoint,
    log: jsonLogs ? printLine : printUnlessRequestLine,
  });
  started.defer(() => functions.forEach((lambda) => void lambda.close()));
  const restApi = readRestApi(stack, functions);
  const baseUrl = `http://${address}/${restApi.stageName}${basePath}`;
  // Runs before the functions and the tables close, so that requests in flight are cut off and get
  // no error response.
  started.defer(close);
  startServing(listenerFor({ restApi, baseUrl, jsonLogs }));

  const running = started.move();
  return {
    /** URL of the API, ending in `/v1`. */
    baseUrl,
    restApiId: restApi.id,
    account: stack.account,
    /** The DynamoDB engine, usable until the service closes, and the names of the two tables. */
    tables: { ...tables, ...tableNames(stack) },
    /** Cuts open connections, ends the functions and closes the tables. */
    close: () => running.disposeAsync(),
  };
};

/** Serves the API, its reference page, and what operators need of API Gateway's management API. */
const listenerFor = (props: {
  restApi: RestApi;
  baseUrl: string;
  jsonLogs: boolean;
}): RequestListener => {
  const { restApi, baseUrl, jsonLogs } = props;
  const page = apiPage(baseUrl);
  const management = managementApi(restApi);
  const api = gateway(restApi, (record: AccessRecord) => {
    printLine(jsonLogs ? accessLine(restApi.accessLogFormat, record) : readableLine(record));
  });
  const listenerOf = ({ url = '' }: IncomingMessage): RequestListener => {
    if (isApiPage(url)) {
      return page;
    }
    return isManagement(url) ? management : api;
  };
  return (message, response) => listenerOf(message)(message, response);
};

/** The gateway prints a line of its own for each request. */
const printUnlessRequestLine = (line: string): void => {
  if (!isRequestLine(line)) {
    printFailure(line);
  }
};

const tableNames = (stack: SynthesizedStack) => ({
  inventory: stack.output('InventoryTableName'),
  apiKeys: stack.output('ApiKeysTableName'),
});
