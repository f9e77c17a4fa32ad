import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type HttpResponse, sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import type { LocalRun } from '../../support/local/local-run.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { runProgram } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

export interface Variables {
  PETSTORE_BASE_URL?: string;
  PETSTORE_API_KEY?: string;
  READ_ONLY?: string;
  KEY_ACCESS?: string;
}

interface Result {
  code: number | null;
  /** The names of the checks, in the order in which they ran. */
  passed: string[];
  failed: string[];
  /** All that a person sees. */
  errors: string;
}

interface JestResults {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

/** Runs `npm run acceptance`, with Jest's results in JSON besides. */
export const acceptance = async (variables: Variables): Promise<Result> => {
  const command = ['run', '--silent', 'acceptance', '--', '--json'];
  const { code, output, errors } = await runProgram('npm', command, { ...variables });
  const { testResults } = (output === '' ? { testResults: [] } : JSON.parse(output)) as JestResults;
  const checks = testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = (wanted: string) =>
    checks.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
  return { code, passed: named('passed'), failed: named('failed'), errors };
};

/** Returns the variables of a run that checks a local run with its own key. */
export const variablesOf = ({ baseUrl, apiKey }: LocalRun): Variables => ({
  PETSTORE_BASE_URL: baseUrl,
  PETSTORE_API_KEY: apiKey,
});

/** Issues a key of a local run that may only read. */
export const readOnlyKeyOf = async ({ baseUrl }: LocalRun): Promise<string> => {
  const target = ['--local', '--port', new URL(baseUrl).port];
  const words = ['keys', 'create', '--name', 'reader', '--read-only', ...target];
  return (await petstore(words)).output.trim();
};

/** Returns the entries of a local run as it lists them, sorted. */
export const entriesOf = async ({ send }: LocalRun): Promise<string[]> => {
  const { text } = await send({ path: '/inventory' });
  return text.match(/\{.*?\}/g)?.toSorted() ?? [];
};

/** The name of a check that changes an entry. */
export const changesAnEntry = 'PATCH /inventory/{petId} sets the quantity 0n';

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  body: string | undefined;
}

/** What a service does otherwise than the local run. */
export interface Difference {
  /** Changes a request before the local run gets it. */
  request?(request: Received): unknown;
  /** Changes a response of the local run. With a status of 0, the connection is cut instead. */
  response?(response: HttpResponse, request: Received): unknown;
}

/** Changes the response to the first request that matches, and no other. */
export const onlyOnce = (
  matches: (request: Received) => boolean,
  change: (response: HttpResponse, request: Received) => unknown,
): Difference => {
  let isOver = false;
  return {
    response: async (response, request) => {
      if (!isOver && matches(request)) {
        isOver = true;
        await change(response, request);
      }
    },
  };
};

/** Serves a local run, but for these differences. Returns the base URL. */
export const serveWith = async (run: LocalRun, differences: Difference[]): Promise<string> => {
  const { origin, pathname } = new URL(run.baseUrl);
  const pass = async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = message;
    const body = (await textOf(message)) || undefined;
    const received = { method, path, headers, body } as Received;
    for (const { request } of differences) {
      await request?.(received);
    }
    // A check would repeat what is throttled, and its requests could not be counted.
    const answer = await until('a response but 429', async () => {
      const response = await sendRaw(origin, received);
      return response.status === 429 ? undefined : response;
    });
    for (const { response } of differences) {
      await response?.(answer, received);
    }
    if (answer.status === 0) {
      reply.destroy();
      return;
    }
    const { 'content-length': _, ...others } = answer.headers;
    const isCompressed = others['content-encoding'] === 'gzip';
    reply.writeHead(answer.status, others).end(isCompressed ? gzipSync(answer.text) : answer.text);
  };
  const url = await serve((message, reply) => {
    pass(message, reply).catch((error) => reply.writeHead(500).end(String(error)));
  });
  return url + pathname;
};

/** Makes a response an Error. */
export const fail = (response: HttpResponse, status: number, code: string): void => {
  response.status = status;
  response.text = JSON.stringify({ code, message: 'A message.', status });
};
