import { rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { SynthesizedStack } from '../infra/assembly/resolved-stack.ts';
import { basePath } from '../infra/service/operations.ts';
import { gateway } from './gateway/gateway.ts';
import { isManagement, managementApi } from './gateway/management-api.ts';
import { type RestApi, readRestApi } from './gateway/rest-api.ts';
import { lambdaFunctions } from './lambda/functions.ts';
import { type AccessRecord, accessLine, isRequestLine, readableLine } from './log/access-log.ts';
import { printFailure, printLine } from './log/print.ts';
import { apiPage, isApiPage } from './page/api-page.ts';

interface VersionOptions {
  /** The directory of the cloud assembly that holds the stack. It is removed with the version. */
  assembly: string;
  stack: SynthesizedStack;
  dynamodbEndpoint: string;
  /** Host and port that the service listens on. */
  address: string;
  /** Whether to print logs as CloudWatch would hold them. */
  jsonLogs: boolean;
  /** The port of the first function's inspector; undefined for none. */
  inspectPort: number | undefined;
}

/** One version of the service, made from one cloud assembly. */
export type ServedVersion = ReturnType<typeof servedVersion>;

/**
 * Makes a version of the service: its functions, its API and the page about it.
 * @throws Error if the local run cannot serve a part of the stack
 */
export const servedVersion = (options: VersionOptions) => {
  const { assembly, stack, address, jsonLogs, inspectPort } = options;
  const functions = lambdaFunctions({
    ...options,
    log: jsonLogs ? printLine : printUnlessRequestLine,
  });
  const restApi = readRestApi(stack, functions, { hasTimeLimits: inspectPort === undefined });
  const baseUrl = `http://${address}/${restApi.stageName}${basePath}`;
  const { counted, whenIdle } = countRequests(listenerFor({ restApi, baseUrl, jsonLogs }));

  const close = (): void => functions.forEach((lambda) => void lambda.close());
  return {
    baseUrl,
    restApiId: restApi.id,
    listener: counted,
    /** Returns the URL of each function's inspector by ARN, if they have one. */
    inspectors: async (): Promise<Map<string, string>> => {
      const urls = new Map<string, string>();
      for (const [arn, { inspector }] of functions) {
        if (inspector !== undefined) {
          urls.set(arn, await inspector);
        }
      }
      return urls;
    },
    /** Ends the functions at once. */
    close,
    /** Waits for the requests under way, and then ends the functions. */
    retire: async (): Promise<void> => {
      await whenIdle();
      close();
      await rm(assembly, { recursive: true, force: true });
    },
  };
};

const countRequests = (listener: RequestListener) => {
  let underWay = 0;
  const idle = Promise.withResolvers<void>();
  let isRetired = false;
  const checkIdle = () => {
    if (isRetired && underWay === 0) {
      idle.resolve();
    }
  };
  const counted: RequestListener = (message, response) => {
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      checkIdle();
    });
    return listener(message, response);
  };
  /** Resolves when no request is under way. No other may come. */
  const whenIdle = (): Promise<void> => {
    isRetired = true;
    checkIdle();
    return idle.promise;
  };
  return { counted, whenIdle };
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
