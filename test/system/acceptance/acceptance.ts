import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { open, sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import type { LocalRun } from '../../support/local/local-run.ts';
import { runProgram } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

/** Runs a command of a group on a local run, and returns what it prints. */
export const petstore = async (
  { baseUrl }: LocalRun,
  [group, name]: [string, string],
  ...options: string[]
): Promise<string> => {
  const { port } = new URL(baseUrl);
  const target = ['--local', '--port', port, '--yes'];
  const command = ['ops/petstore.cjs', group, name, ...target, ...options];
  const { code, output, errors } = await runProgram(process.execPath, command);
  if (code !== 0) {
    throw new Error(`petstore ${group} ${name} ended with ${code}.\n${errors}`);
  }
  return output.trim();
};

/** Issues a key that may only read. */
export const readOnlyKeyOf = (run: LocalRun): Promise<string> =>
  petstore(run, ['keys', 'create'], '--name', 'reader', '--read-only');

export interface Variables {
  PETSTORE_BASE_URL?: string;
  PETSTORE_API_KEY?: string;
  READ_ONLY?: string;
  KEY_ACCESS?: string;
  ACCEPTANCE_MAY_WRITE_TO_PROD?: string;
}

interface Result {
  code: number | null;
  /** The titles of the checks, in the order in which they ran. */
  passed: string[];
  failed: string[];
  /** All that a person sees. */
  errors: string;
}

interface JestResults {
  testResults: { assertionResults: { title: string; status: string }[] }[];
}

/** Runs `npm run acceptance`, with Jest's results in JSON besides. */
export const acceptance = async (variables: Variables): Promise<Result> => {
  const command = ['run', '--silent', 'acceptance', '--', '--json'];
  const { code, output, errors } = await runProgram('npm', command, { ...variables });
  const { testResults } = (output === '' ? { testResults: [] } : JSON.parse(output)) as JestResults;
  const checks = testResults.flatMap(({ assertionResults }) => assertionResults);
  const titles = (wanted: string) =>
    checks.filter(({ status }) => status === wanted).map(({ title }) => title);
  return { code, passed: titles('passed'), failed: titles('failed'), errors };
};

/** Returns the variables of a run that checks a local run with its own key. */
export const variablesOf = ({ baseUrl, apiKey }: LocalRun): Variables => ({
  PETSTORE_BASE_URL: baseUrl,
  PETSTORE_API_KEY: apiKey,
});

/** Returns the entries of a local run as it lists them, sorted. */
export const entriesOf = async ({ baseUrl, apiKey }: LocalRun): Promise<string[]> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  // The suite has just sent as many lists as the throttling lets through.
  const text = await until('a list', async () => {
    const response = await sendRaw(baseUrl, { path: '/inventory', headers });
    return response.status === 200 ? response.text : undefined;
  });
  return text.match(/\{.*?\}/g)?.toSorted() ?? [];
};

/** Serves a local run behind a proxy, which tells of each request when its response has come. */
export const behindProxy = async (
  { baseUrl }: LocalRun,
  onResponse: (request: IncomingMessage, status: number | undefined) => unknown,
): Promise<string> => {
  const { origin, pathname } = new URL(baseUrl);
  const url = await serve(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    const message = { method, path, headers: headers as Record<string, string> };
    const answer = await open(origin, { ...message, ...(body.length > 0 && { body }) });
    await onResponse(request, answer.statusCode);
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  return url + pathname;
};

/** The title of a check that changes an entry. */
export const wholeRunOnly =
  'sets the quantity of the smallest petId, percent-encoded or not, and the list has it';
