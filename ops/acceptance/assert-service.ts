import { CliError } from '../cli/cli-error.ts';
import { oneLine } from '../cli/terminal.ts';
import { requestList } from './request-list.ts';

/** Throws a CliError that says why, unless a service lists its inventory for the key. */
export const assertService = async (baseUrl: string, apiKey: string): Promise<void> => {
  const { status, beginning } = await requestList(baseUrl, apiKey).catch((error: Error) => {
    throw new CliError('unavailable', `No response from ${baseUrl}/inventory: ${reasonOf(error)}`);
  });
  if (status === 401) {
    throw new CliError(
      'unavailable',
      `${baseUrl} rejects the API key (401). Is it a key of this stage?`,
    );
  }
  // After a 429, the suite itself retries.
  if (status !== 200 && status !== 429) {
    // The service may repeat the key. It goes first, because a cut through it would leave a part.
    const body = oneLine(beginning.replaceAll(apiKey, '<API_KEY>').slice(0, 200));
    throw new CliError(
      'failed',
      `GET ${baseUrl}/inventory returned ${status} instead of 200: ${body}`,
    );
  }
};

const reasonOf = ({ message, cause }: Error): string => {
  const reason = (cause as Error | undefined)?.message || message;
  // An error of OpenSSL has several lines; the first is enough.
  return reason.split('\n')[0] ?? '';
};
