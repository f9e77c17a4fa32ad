import { mayWriteToProd, readSettings } from './settings.ts';

/** Reads the variables, and says what will be checked, or in one sentence why nothing can be. */
export default (): void => {
  try {
    const { baseUrl, stageName, readOnly, keyMayWrite } = readSettings(process.env);
    const key = keyMayWrite ? 'a key that can write' : 'a read-only key';
    const extent = readOnly ? 'only with requests that change nothing' : 'whole';
    console.error(`Checking ${baseUrl} against the contract, ${extent}, with ${key}.`);
    if (stageName === 'prod' && readOnly) {
      console.error(`With a prod key, nothing is changed unless ${mayWriteToProd} is yes.`);
    }
  } catch (error) {
    console.error((error as Error).message);
    // Jest would print a thrown error with its stack.
    process.exit(1);
  }
  goOnWhenInterrupted();
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
