import { expect, test } from '@jest/globals';
import { petstore } from '../support/ops/petstore.ts';

/** Runs `petstore start` with a wrong port, so that one which is not refused ends as well. */
const errorOf = async (words: string[], env: Record<string, string>): Promise<string> => {
  const { code, errors } = await petstore(['start', '--port=', ...words], { env });
  expect(code).toBe(2);
  return errors.replace('\n(for usage, add --help)\n', '');
};

/** What npm sets in every script, with two of its own options. */
const npmStart = { npm_lifecycle_event: 'start', npm_config_json: 'true', npm_config_yes: '' };

interface Typed {
  typed: string;
  words?: string[];
  env: Record<string, string>;
  error: string;
}

test.each<Typed>([
  {
    typed: '--no-watch',
    env: { npm_config_watch: '' },
    error:
      'npm took --watch for itself. Put options after --, as in: npm start -- --watch\n' +
      'PowerShell drops that --; there, type: npx --no petstore start --watch',
  },
  {
    // The word is what npm passes on of --data DIR.
    typed: '--data DIR',
    words: ['DIR'],
    env: { npm_config_data: 'true' },
    error:
      'npm took --data for itself. Put options after --, as in: npm start -- --data <dir>\n' +
      'PowerShell drops that --; there, type: npx --no petstore start --data <dir>',
  },
  {
    typed: '--watch --api-key=petstore_prod_0123',
    env: { npm_config_watch: 'true', npm_config_api_key: 'petstore_prod_0123' },
    error:
      'npm took --api-key and --watch for itself. Put options after --, as in: ' +
      'npm start -- --api-key <key> --watch\n' +
      'PowerShell drops that --; there, type: npx --no petstore start --api-key <key> --watch',
  },
])('npm start $typed is refused, without its value', async ({ words = [], env, error }) => {
  expect(await errorOf(words, { ...npmStart, ...env })).toBe(`error: ${error}`);
});

test.each([
  { what: 'only npm’s own options', words: [], env: npmStart },
  {
    what: 'an option that is given after -- as well',
    words: ['--data', 'DIR'],
    env: { ...npmStart, npm_config_data: 'OTHER' },
  },
  {
    what: 'an option that is given after -- with =',
    words: ['--data=DIR'],
    env: { ...npmStart, npm_config_data: 'OTHER' },
  },
  {
    what: 'a variable of the user’s shell, in npx',
    words: [],
    env: { npm_lifecycle_event: 'npx', npm_config_data: 'DIR' },
  },
])('$what does not stop a start', async ({ words, env }) => {
  expect(await errorOf(words, env)).toContain("error: option '--port <port>' argument ''");
});

test.each([
  { typed: 'pnpm start -- --port=', words: ['start', '--', '--port='] },
  { typed: 'npm start -- --port=', words: ['start', '--port='] },
])('$typed gives start the option', async ({ words }) => {
  const { errors } = await petstore(words);
  expect(errors).toMatch(/^error: option '--port <port>' argument ''/);
});

test('a second -- is too many', async () => {
  const { errors } = await petstore(['start', '--', '--', '--port=']);
  expect(errors).toContain('too many arguments');
});
