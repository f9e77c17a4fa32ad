import type { RequestListener } from 'node:http';
import { basePath } from '../infra/service/operations.ts';
import { readTemplate } from './assembly/template.ts';
import { clientServer } from './gateway/client-server.ts';
import { gateway } from './gateway/gateway.ts';
import { descriptionPath, operatorsApi, type RunDescription } from './gateway/operators-api.ts';
import { type RestApi, readRestApi } from './gateway/rest-api.ts';
import { lambdaFunctions } from './lambda/functions.ts';
import { issueLocalKey } from './local-key.ts';
import { type AccessRecord, accessLine, isRequestLine, readableLine } from './log/access-log.ts';
import { printFailure, printLine } from './log/print.ts';
import { apiPage, isApiPage } from './page/api-page.ts';
import { listen } from './shared/local-server.ts';
import { createTables, startEngine } from './tables/tables.ts';

interface ServiceOptions {
  stageName: string;
  /** The port to listen on; 0 picks a free one. */
  port: number;
  /** Returns the directory of a cloud assembly. Called once ports and tables are there. */
  assembly: () => Promise<string>;
  /**
   * Whether to print logs as CloudWatch would hold them; otherwise one readable line per request,
   * and failures.
   */
  jsonLogs: boolean;
}

/** Runs a stage of the service on this machine, from its synthesized template. */
export const startService = async (options: ServiceOptions) => {
  const { stageName, port, jsonLogs } = options;
  await using started = new AsyncDisposableStack();

  // What may be in use comes first, so that a start that must fail fails at once, not after the
  // seconds that the rest takes.
  const { promise: listener, resolve: startServing } = Promise.withResolvers<RequestListener>();
  const server = clientServer(async (message, response) => (await listener)(message, response));
  const { address, close } = await listen(server, port);
  started.defer(close);
  const { endpoint, close: closeEngine } = await startEngine();
  started.defer(closeEngine);

  const assembly = await options.assembly();
  const template = readTemplate(assembly, stageName);
  const client = await createTables(template, endpoint);
  started.defer(() => client.destroy());
  const functions = lambdaFunctions({
    template,
    dynamodbEndpoint: endpoint,
    log: jsonLogs ? printLine : printUnlessRequestLine,
  });
  started.defer(() => functions.forEach((lambda) => void lambda.close()));

  const description = {
    stageName,
    baseUrl: `http://${address}/${stageName}${basePath}`,
    dynamodb: {
      endpoint,
      inventory: template.output('InventoryTableName'),
      apiKeys: template.output('ApiKeysTableName'),
    },
  };
  const apiKey = await issueLocalKey(
    { client, TableName: description.dynamodb.apiKeys },
    stageName,
  );
  const api = readRestApi(template, functions);

  const running = started.move();
  return {
    ...description,
    /** A key that may write. */
    apiKey,
    /** The directory of the cloud assembly. */
    assembly,
    /** A client of the tables, usable until the service closes. */
    client,
    /** Begins to respond. Until then, requests wait. */
    serve: () => startServing(listenerOf(api, { description, jsonLogs })),
    /** Serves the bundles as they are now. Requests under way finish with those before. */
    renew: () => {
      functions.forEach((lambda) => void lambda.renew());
      // What the authorizer decided before no longer holds.
      api.flushAuthorizersCache();
    },
    /** Ends the functions, closes the tables and cuts open connections. */
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};

/** Returns what serves every request: the API, its page, or what the petstore command asks. */
const listenerOf = (
  api: RestApi,
  { description, jsonLogs }: { description: RunDescription; jsonLogs: boolean },
): RequestListener => {
  const logRequest = (record: AccessRecord) =>
    printLine(jsonLogs ? accessLine(api.accessLogFormat, record) : readableLine(record));
  const page = apiPage(description.baseUrl);
  const forOperators = operatorsApi(description);
  const forClients = gateway(api, logRequest);
  return (message, response) => {
    const { url = '' } = message;
    const listener = url === descriptionPath ? forOperators : forClients;
    return (isApiPage(url) ? page : listener)(message, response);
  };
};

/** The gateway prints a line of its own for each request. */
const printUnlessRequestLine = (line: string): void => {
  if (!isRequestLine(line)) {
    printFailure(line);
  }
};
