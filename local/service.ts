import { createServer, type RequestListener } from 'node:http';
import { readTemplate } from '../infra/assembly/template.ts';
import { basePath } from '../infra/service/operations.ts';
import { gateway } from './gateway/gateway.ts';
import { isForOperators, operatorsApi } from './gateway/operators-api.ts';
import { readRestApi } from './gateway/rest-api.ts';
import { lambdaFunctions } from './lambda/functions.ts';
import { type AccessRecord, accessLine, isRequestLine, readableLine } from './log/access-log.ts';
import { printFailure, printLine } from './log/print.ts';
import { apiPage, isApiPage } from './page/api-page.ts';
import { listen } from './shared/local-server.ts';
import { startTables, type TableOptions } from './tables/tables.ts';

interface ServiceOptions extends TableOptions {
  stageName: string;
  /** The port to listen on; 0 picks a free one. */
  port: number;
  /** Returns the directory of a cloud assembly. Called once the port is bound. */
  assembly: () => Promise<string>;
  /**
   * Whether to print logs as CloudWatch would hold them; otherwise one readable line per request,
   * and failures.
   */
  jsonLogs: boolean;
  /** The port of the first function's inspector, of which the others take the next ones. */
  inspectPort?: number | undefined;
}

/** Runs a stage of the service on this machine, from its synthesized template. */
export const startService = async (options: ServiceOptions) => {
  const { stageName, port, jsonLogs, inspectPort } = options;
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

  const template = readTemplate(await options.assembly(), stageName);
  const { client, endpoint, ...tables } = await startTables(template, options);
  started.defer(tables.close);
  const functions = lambdaFunctions({
    template,
    dynamodbEndpoint: endpoint,
    inspectPort,
    log: jsonLogs ? printLine : printUnlessRequestLine,
  });
  started.defer(() => functions.forEach((lambda) => void lambda.close()));

  const api = readRestApi(template, functions);
  const description = {
    stageName,
    baseUrl: `http://${address}/${stageName}${basePath}`,
    dynamodb: {
      endpoint,
      inventory: template.output('InventoryTableName'),
      apiKeys: template.output('ApiKeysTableName'),
    },
  };
  const logRequest = (record: AccessRecord) =>
    printLine(jsonLogs ? accessLine(api.accessLogFormat, record) : readableLine(record));
  const page = apiPage(description.baseUrl);
  const forOperators = operatorsApi(api, description);
  const forClients = gateway(api, logRequest);
  startServing((message, response) => {
    const { url = '' } = message;
    const ofOperators = isForOperators(url) ? forOperators : forClients;
    return (isApiPage(url) ? page : ofOperators)(message, response);
  });

  const running = started.move();
  return {
    ...description,
    /** A client of the tables, usable until the service closes. */
    client,
    /** Starts an instance of each function, so that debuggers can attach. */
    warmUp: () => Promise.all(functions.values().map((lambda) => lambda.warmUp())),
    /** Serves the bundles as they are now. Requests under way finish with those before. */
    renew: () => functions.forEach((lambda) => void lambda.renew()),
    /** Ends the functions, closes the tables and cuts open connections. */
    close: () => running.disposeAsync(),
  };
};

/** The gateway prints a line of its own for each request. */
const printUnlessRequestLine = (line: string): void => {
  if (!isRequestLine(line)) {
    printFailure(line);
  }
};
