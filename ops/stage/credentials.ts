import type { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CliError } from '../cli/errors.ts';

/** Asks for the code of a device for MFA, until the signal aborts. */
export type AskForCode = (serialNumber: string, signal: AbortSignal) => Promise<string>;

/** What the SDK's providers of credentials have said, of which the last one throws its own alone. */
type Said = string[];

/** Returns the settings of a client that gets credentials, and what its providers then say. */
export const credentialSettings = (askForCode: AskForCode) => {
  const said: Said = [];
  const nothing = (): void => {};
  const debug = (...words: unknown[]): void => void said.push(words.join(' '));
  const logger = { trace: nothing, debug, info: nothing, warn: console.warn, error: nothing };
  const mfaCodeProvider = (serialNumber: string) =>
    orFailure((signal) => askForCode(serialNumber, signal));
  return { said, settings: { logger, mfaCodeProvider } };
};

/**
 * Waits for a code, or throws what else fails meanwhile: the SDK looks for the keys that go with the
 * code at the same time, and handles their failure only after it. Node would end the process.
 */
const orFailure = async (ask: (signal: AbortSignal) => Promise<string>): Promise<string> => {
  const question = new AbortController();
  const failure = Promise.withResolvers<never>();
  process.once('unhandledRejection', failure.reject);
  try {
    return await Promise.race([ask(question.signal), failure.promise]);
  } finally {
    question.abort();
    process.off('unhandledRejection', failure.reject);
  }
};

/**
 * Gets credentials, so that those which cannot be had are told from those which AWS refuses.
 * @throws CliError that says why there are none
 */
export const requireCredentials = async ({ config }: CloudFormation, said: Said): Promise<void> => {
  try {
    await config.credentials();
  } catch (error) {
    throw isAboutCredentials(error as Error) ? noCredentials(error as Error, said) : error;
  }
};

/** Whether a provider has failed, or a service that it asked has refused it, not the network. */
const isAboutCredentials = (error: Error & { $metadata?: object }): boolean =>
  error.name.endsWith('ProviderError') || error.$metadata !== undefined;

const noCredentials = (cause: Error, said: Said): CliError => {
  const { AWS_PROFILE: profile } = process.env;
  const start = profile
    ? `The profile "${profile}" gives no credentials`
    : 'There are no credentials of AWS';
  return new CliError(`${start}: ${reasonOf(cause, said)}`, { cause });
};

const reasonOf = ({ message }: Error, said: Said): string => {
  if (!message.startsWith('Could not load credentials from any providers')) {
    return message;
  }
  // The SDK goes on after a program or a profile that failed, and then forgets the words.
  const found = said.map((line) => forgotten.exec(line)).find((match) => match !== null);
  return (
    found?.[0].trim() ??
    'neither the environment nor the default profile has any. Set AWS_PROFILE, or sign in.'
  );
};

const forgotten =
  /(Command failed: |Profile \S+ credential_process |Could not resolve credentials using profile: \[(?!default])).*/s;
