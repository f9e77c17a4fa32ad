import { CliError } from '../cli/cli-error.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { isSendable } from '../stage/request-list.ts';
import { expectService } from './expect-service.ts';
import { runSuite } from './run-suite.ts';
import { checksIn } from './suite-report.ts';

export interface AcceptanceOptions {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** A key of that stage. Without it, the environment variable ACCEPTANCE_API_KEY has one. */
  apiKey?: string | undefined;
  /** Whether to send nothing that would change data. */
  readOnly?: boolean | undefined;
  json?: boolean | undefined;
}

/**
 * Runs the suite in test/system/acceptance against a deployment, prints what it checks, and throws
 * a CliError if it fails.
 */
export const acceptance = async (terminal: Terminal, options: AcceptanceOptions): Promise<void> => {
  const { baseUrl, readOnly = false, json = false } = options;
  const apiKey = options.apiKey ?? terminal.env.ACCEPTANCE_API_KEY ?? '';
  if (!isSendable(apiKey)) {
    throw new CliError(
      'usage',
      'An API key is needed: --api-key, or the environment variable ACCEPTANCE_API_KEY.',
    );
  }
  await expectService(baseUrl, apiKey);
  const { passed, report } = await runSuite(terminal, { baseUrl, apiKey, readOnly, json });
  if (json || passed) {
    const extent = readOnly ? ', as far as read-only requests can tell' : '';
    print(terminal, { json }, checksIn(report), `${baseUrl} keeps the contract${extent}.`);
  }
  if (!passed) {
    throw new CliError('failed', `${baseUrl} differs from the contract.`);
  }
};
