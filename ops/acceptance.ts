import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const help = `Checks a deployment against the contract, over HTTP alone.

Usage: npm run acceptance -- --base-url URL --api-key KEY [--read-only]

  --base-url URL  the BaseUrl that the deployment printed; ends in /v1
  --api-key KEY   an API key of that stage (default: the environment variable ACCEPTANCE_API_KEY)
  --read-only     send nothing that the service would apply
  --help          show this text

Without --read-only it sets the quantity of one or two entries and sets it back.`;

/** One line to standard error, and the exit code of a deployment that does not keep the contract. */
const refuse = (reason: string): never => {
  console.error(`acceptance: ${reason}`);
  process.exit(1);
};

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        'base-url': { type: 'string', default: '' },
        'api-key': { type: 'string', default: process.env.ACCEPTANCE_API_KEY ?? '' },
        'read-only': { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}. See npm run acceptance -- --help.`);
  }
};

const { 'base-url': givenUrl, 'api-key': apiKey, 'read-only': readOnly, help: wantsHelp } = readOptions();
if (wantsHelp) {
  console.log(help);
  process.exit(0);
}
const baseUrl = givenUrl.replace(/\/$/, '');
if (!/^https?:\/\/[^/?#]+(\/[^?#]*)?\/v1$/.test(baseUrl) || !URL.canParse(baseUrl)) {
  refuse(`--base-url must be an http or https URL that ends in /v1, not "${givenUrl}".`);
}
if (!/^[\x21-\x7e]+$/.test(apiKey)) {
  refuse('an API key is needed: --api-key KEY, or the environment variable ACCEPTANCE_API_KEY.');
}

/** The text without the key, whatever may have quoted it. */
const withoutKey = (text: string): string => text.replaceAll(apiKey, '<API_KEY>');

/** Stops at once if there is no service to check, or it does not take the key. */
const knock = async (): Promise<void> => {
  const url = `${baseUrl}/inventory`;
  const request = { headers: { Authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url, request).catch(({ message, cause }: Error) =>
    // The first line of what OpenSSL says is enough.
    refuse(`no answer from ${url}: ${((cause as Error | undefined)?.message || message).split('\n')[0]}`),
  );
  if (response.status === 401) {
    refuse(`${baseUrl} refuses the API key (401). Is it a key of this stage?`);
  }
  if (response.status !== 200) {
    const text = withoutKey((await response.text()).slice(0, 200));
    refuse(`GET ${url} answered ${response.status}, not 200: ${text}`);
  }
  await response.body?.cancel();
};
await knock();

const project = join(import.meta.dirname, '..');
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const suite = spawn(
  process.execPath,
  [...jest, '--runTestsByPath', 'test/system/acceptance/acceptance.test.ts', '--verbose', '--no-stack-trace', '--ci'],
  {
    cwd: project,
    env: {
      ...process.env,
      ACCEPTANCE_BASE_URL: baseUrl,
      ACCEPTANCE_API_KEY: apiKey,
      ...(readOnly && { ACCEPTANCE_READ_ONLY: 'true' }),
    },
    // Ctrl-C must not reach the suite: it may have quantities to set back.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => console.error('acceptance: it ends by itself within a minute, when the data is as it was.'));
}
for (const stream of [suite.stdout, suite.stderr]) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      console.log(withoutKey(line));
    }
  });
  stream.on('end', () => rest && console.log(withoutKey(rest)));
}
const [code] = await once(suite, 'close');
const mode = readOnly ? ', as far as can be told without changing it' : '';
console.log(
  code === 0
    ? `acceptance: ${baseUrl} keeps the contract${mode}.`
    : `acceptance: ${baseUrl} differs from the contract where it says ✕.`,
);
process.exitCode = code === 0 ? 0 : 1;
