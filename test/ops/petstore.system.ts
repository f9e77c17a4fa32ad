import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import manifest from '../../package.json' with { type: 'json' };
import { serve } from '../support/http/serve.ts';
import { awsAround } from '../support/ops/fake-aws.ts';
import { keysStage, onProd, shop } from '../support/ops/keys.ts';
import { atEnd } from '../support/process/at-end.ts';
import { onTerminal } from '../support/process/terminal.ts';
import { ended, project } from '../support/process/tools.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';
import { until } from '../support/process/until.ts';

const bin = join(project, 'ops/petstore.cjs');
const directory = mkdtempSync(join(tmpdir(), 'petstore-'));

const stage = keysStage();
const local = () => ['--local', '--port', stage.port()];

test('npx --no -- petstore runs the program of the checkout from any folder in it', async () => {
  const npx = spawn('npx', ['--no', '--', 'petstore', '--version'], {
    cwd: join(project, 'functions'),
  });
  expect(await ended(npx)).toStrictEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
  // npm and shells run a file only if it is executable.
  const listed = execFileSync('git', ['ls-files', '--stage', bin], { cwd: project });
  expect(String(listed)).toMatch(/^100755 /);
});

test('outside the checkout, npx --no -- petstore fetches no package of that name', async () => {
  const requested: string[] = [];
  const registry = await serve(({ url = '' }, response) => {
    requested.push(url);
    const dist = { tarball: `${registry}/petstore.tgz` };
    const versions = { '1.0.0': { name: 'petstore', version: '1.0.0', bin: 'x.js', dist } };
    const packument = { name: 'petstore', 'dist-tags': { latest: '1.0.0' }, versions };
    response.end(JSON.stringify(packument));
  });
  const elsewhere = spawn('npx', ['--no', '--', 'petstore', 'keys', 'list', '--local'], {
    cwd: directory,
    env: {
      ...process.env,
      npm_config_registry: registry,
      npm_config_cache: join(directory, 'npm'),
      npm_config_loglevel: 'error',
    },
  });
  const { code, output, errors } = await ended(elsewhere);
  expect({ code, output }).toStrictEqual({ code: 1, output: '' });
  expect(errors).toContain('npx canceled due to missing packages');
  expect(requested.filter((url) => url.endsWith('.tgz'))).toStrictEqual([]);
});

test('every petstore command in the code and the documents is spelled so', () => {
  const files = trackedFiles(/\.(md|ts|cjs|js|html|json|ya?ml|sh)$|^\.ci\/run$/);
  const spellings = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(npx|npm exec)\b[\w -]*? petstore\b/g)].map(
      ([spelling]) => `${file}: ${spelling}`,
    ),
  );
  expect(spellings.length).toBeGreaterThan(10);
  expect(spellings.filter((each) => !each.endsWith(': npx --no -- petstore'))).toStrictEqual([]);
});

test('petstore says that npm ci is needed first', async () => {
  for (const file of ['ops/petstore.cjs', 'node-24.cjs']) {
    cpSync(join(project, file), join(directory, file));
  }
  const child = spawn(process.execPath, [join(directory, 'ops/petstore.cjs'), 'start']);
  const advice = 'Run npm ci in this checkout first: it installs the packages that petstore needs.';
  expect(await ended(child)).toStrictEqual({
    code: 1,
    output: '',
    errors: `petstore: ${advice}\n`,
  });
});

test('a command whose reader leaves early has no error', async () => {
  const child = spawn(process.execPath, [bin, 'keys', 'list', ...local()]);
  child.stdout.destroy();
  const { code, errors } = await ended(child);
  expect({ code, errors }).toStrictEqual({
    code: 0,
    errors: `Stage: staging of the local run at http://127.0.0.1:${stage.port()}/staging/v1\n`,
  });
});

test('one Ctrl-C ends a command that waits for its input', async () => {
  const child = spawn(process.execPath, [bin, 'keys', 'find', ...local()]);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toStrictEqual([null, 'SIGINT']);
});

/** Types once a prompt has appeared, and returns the exit code and all that the terminal shows. */
const typedOn = async (
  command: string[],
  { prompt, keys, env = {} }: { prompt: string; keys: string; env?: NodeJS.ProcessEnv },
) => {
  const child = onTerminal([process.execPath, bin, ...command], {
    env: { ...process.env, ...env },
  });
  // One that a failed test leaves behind would keep Jest from ending.
  atEnd(() => child.kill());
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (screen += chunk));
  const closed = once(child, 'close');
  await until(`the prompt ${prompt}`, () => screen.endsWith(prompt));
  child.stdin.write(keys);
  const [code] = await closed;
  return { code, screen: screen.replaceAll('\r\n', '\n') };
};

test('a terminal does not show a key that is typed', async () => {
  const apiKey = createApiKey('staging');
  await stage.put({ ...shop, keyHash: hashApiKey(apiKey) });
  const prompt = 'API key (not shown): ';
  expect(
    await typedOn(['keys', 'find', ...local()], { prompt, keys: `${apiKey}\r` }),
  ).toStrictEqual({
    code: 0,
    screen:
      `Stage: staging of the local run at http://127.0.0.1:${stage.port()}/staging/v1\n` +
      `${prompt}\nKey 1111111111111111 ("shop") may write, with no expiry.\n`,
  });
});

const question = 'Revoke key 1111111111111111 ("shop") of prod? ';
const prompt = `${question}The saved query use-of-keys shows who uses it. [y/N] `;
const { keyHash: _keyHash, ...stored } = shop;

test.each([
  {
    what: 'a line that is mended',
    keys: 'yx\u007f\r',
    code: 0,
    revocation: { revokedAt: expect.any(Number) },
    shown:
      'yx\b \b\nKey 1111111111111111 ("shop") was revoked at TIME.\nIt stops working within 60 seconds.\n',
  },
  {
    what: 'Ctrl-D',
    keys: '\u0004',
    code: 1,
    revocation: {},
    shown: 'petstore: Nothing was changed.\n',
  },
  { what: 'Ctrl-C', keys: '\u0003', code: 130, revocation: {}, shown: '^C' },
])('a question on a terminal takes $what', async ({ keys, code, revocation, shown }) => {
  await stage.put(shop);
  const baseUrl = `http://127.0.0.1:${stage.port()}/prod/v1`;
  const { environment: env } = await awsAround({ baseUrl, tables: stage.tables });
  const command = ['keys', 'revoke', '1111111111111111', '--stage', 'prod'];
  const { screen, ...ending } = await typedOn(command, { prompt, keys, env });
  expect({ ...ending, screen: screen.replace(/\d{4}-\S+Z/, 'TIME') }).toStrictEqual({
    code,
    screen: `${onProd}${prompt}${shown}`,
  });
  expect(await stage.records()).toStrictEqual([{ ...stored, ...revocation }]);
});
