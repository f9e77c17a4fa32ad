import type { LocalRun } from '../../support/local/local-run.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { runProgram } from '../../support/process/tools.ts';

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
