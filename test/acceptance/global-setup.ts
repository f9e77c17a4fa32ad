import { open } from '../support/http/raw-request.ts';
import { mayWriteToProd, readSettings, type Settings, SettingsError } from './settings.ts';

/** What stops a run before its checks: one sentence, which holds no key. */
class CannotCheck extends Error {}

/** Reads the variables, asks whether the service takes the key, and says what will be checked. */
export default async (): Promise<void> => {
  try {
    const settings = readSettings(process.env);
    await assertService(settings);
    announce(settings);
  } catch (error) {
    if (error instanceof SettingsError || error instanceof CannotCheck) {
      console.error(error.message);
      // Jest would print a thrown error with its stack.
      process.exit(1);
    }
    throw error;
  }
  goOnWhenInterrupted();
};

/** Far more than a list needs for its first byte. */
const timeLimit = 30_000;

const assertService = async ({ baseUrl, apiKey, stageName }: Settings): Promise<void> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const request = open(baseUrl, { path: '/inventory', headers }, AbortSignal.timeout(timeLimit));
  const response = await request.catch((error: NodeJS.ErrnoException) => {
    // The reason of a connection that failed to several addresses has no message.
    const [reason] = (error.message || error.code || error.name).split('\n');
    throw new CannotCheck(`There is no response from ${baseUrl}: ${reason}.`);
  });
  response.destroy();
  if (response.statusCode === 401) {
    throw new CannotCheck(`${baseUrl} rejects PETSTORE_API_KEY, a key of ${stageName} (401).`);
  }
};

const announce = ({ baseUrl, stageName, readOnly, keyMayWrite }: Settings): void => {
  const key = keyMayWrite ? 'a key that may write' : 'a read-only key';
  const extent = readOnly ? 'only with requests that change nothing' : 'whole';
  console.error(`Checking ${baseUrl} against the contract, ${extent}, with ${key}.`);
  if (stageName === 'prod' && readOnly) {
    console.error(`With a key of prod, nothing is changed unless ${mayWriteToProd} is yes.`);
  }
};

/** Lets Ctrl-C, or the end of a job, wait for the checks, which may have quantities to set back. */
const goOnWhenInterrupted = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal ends the run.
    process.once(signal, () =>
      console.error('The checks go on to their end, so that all quantities are set back.'),
    );
  }
};
