// What only the program shows as people start it: through npm and npx, and on a terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../functions/keys/api-key.ts';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { serve } from '../support/http/serve.ts';
import { awsAround } from '../support/ops/fake-aws.ts';
import { keysStage, onProd, shop } from '../support/ops/keys.ts';
import { atEnd } from '../support/process/at-end.ts';
import { onTerminal } from '../support/process/terminal.ts';
import { ended, outputOf, project, runProgram } from '../support/process/tools.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';
import { until } from '../support/process/until.ts';

const bin = join(project, 'ops/petstore.cjs');

test('npx --no -- petstore runs the program of the checkout from any folder in it', async () => {
  const npx = spawn('npx', ['--no', '--', 'petstore', '--version'], {
    cwd: join(project, 'functions'),
  });
  expect(await ended(npx)).toStrictEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
  // npm and shells run a file only if it is executable.
  accessSync(bin, constants.X_OK);
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
  const directory = mkdtempSync(join(tmpdir(), 'petstore-'));
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
    [
      ...readFileSync(file, 'utf8').matchAll(/\b(npx|npm exec)\b[\w -]*? petstore\b( start\b)?/g),
    ].map(([spelling]) => `${file}: ${spelling}`),
  );
  expect(spellings.length).toBeGreaterThan(10);
  // PowerShell drops a `--`. With the name of a command, npx takes no option after it for its own.
  const isRight = /: (npx --no -- petstore( start)?|npx --no petstore start)$/;
  expect(spellings.filter((each) => !isRight.test(each))).toStrictEqual([]);
});

// test/ops/npm-options.test.ts has what the program says. npm 12 says it first, in its own words.
test('npm start --data=DIR starts nothing, and names the option', async () => {
  const { code, output, errors } = await runProgram('npm', ['start', '--data=DIR']);
  expect(code).not.toBe(0);
  expect(output).not.toContain('Base URL');
  expect(errors).toContain('--data');
});

test('npm has no setting with the name of an option of petstore start', async () => {
  const start = petstore({} as Terminal).commands.find((command) => command.name() === 'start');
  const options = (start?.options ?? []).map((option) => option.name());
  const settings = JSON.parse(await outputOf('npm', 'config', 'list', '--long', '--json'));
  expect(options).toContain('data');
  expect(options.filter((name) => name in settings)).toStrictEqual([]);
});

const stage = keysStage();

/** Runs a command on the stage in bash, with this before it and after it. */
const inBash = (before: string, command: string, after: string) =>
  runProgram('bash', [
    '-c',
    `${before} exec "$@" ${after}`,
    'bash',
    ...[process.execPath, bin, ...command.split(' '), '--local', '--port', stage.port()],
  ]);

test('a command whose file takes only half of its output fails', async () => {
  await stage.put(...Array.from({ length: 20 }, (_, key) => ({ ...shop, keyHash: `hash ${key}` })));
  const file = join(process.env.TEST_RUN_DIRECTORY ?? '', 'half.json');
  // The longest file, in KiB.
  const { code, errors } = await inBash('ulimit -f 1;', 'keys list --json', `> ${file}`);
  expect({ code, errors, length: readFileSync(file).length }).toStrictEqual({
    code: 1,
    errors: expect.stringMatching(
      /^Stage: .*\n{"error":{"message":"Not all of the output was written: EFBIG: .*\."}}\n$/,
    ),
    length: 1024,
  });
});

test('with a closed output, no key is created; what prints nothing that is needed is done', async () => {
  await stage.put(shop);
  const refused = await inBash('', 'keys create --name other', '>&-');
  expect(refused).toStrictEqual({
    code: 1,
    output: '',
    errors:
      'petstore: Standard output is closed or leads nowhere, so nothing was done. ' +
      'To discard the output, write > /dev/null in a shell.\n',
  });
  for (const [name, output] of [
    ['Bo', '> /dev/null'],
    ['Cy', '>&-'],
  ]) {
    const { code } = await inBash('', `keys update 1111111111111111 --name ${name}`, `${output}`);
    expect(code).toBe(0);
    expect((await stage.records()).map((record) => record.name)).toStrictEqual([name]);
  }
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
  const command = ['keys', 'find', '--local', '--port', stage.port()];
  expect(await typedOn(command, { prompt, keys: `${apiKey}\r` })).toStrictEqual({
    code: 0,
    screen:
      `Stage: staging of the local run at http://127.0.0.1:${stage.port()}/staging/v1\n` +
      `${prompt}\nKey 1111111111111111 ("shop") can write and never expires.\n`,
  });
});

test('a profile that asks for a code, and lacks the keys that go with it, ends in a sentence', async () => {
  const AWS_CONFIG_FILE = join(process.env.TEST_RUN_DIRECTORY ?? '', 'no-keys.config');
  writeFileSync(
    AWS_CONFIG_FILE,
    '[profile ann]\nrole_arn = arn:aws:iam::111122223333:role/ops\nsource_profile = base\n' +
      'mfa_serial = arn:aws:iam::111122223333:mfa/ann\n',
  );
  const child = onTerminal([process.execPath, bin, 'keys', 'list', '--stage', 'prod'], {
    env: { ...process.env, AWS_CONFIG_FILE, AWS_PROFILE: 'ann', AWS_REGION: 'us-east-1' },
  });
  atEnd(() => child.kill());
  const { code, output } = await ended(child);
  expect({ code, screen: output.replaceAll('\r\n', '\n') }).toStrictEqual({
    code: 1,
    screen:
      'MFA code of arn:aws:iam::111122223333:mfa/ann: petstore: The profile "ann" gives no ' +
      'credentials: Could not resolve credentials using profile: [base] in ' +
      'configuration/credentials file(s).\n',
  });
});

test('a question on a terminal takes a line that is mended', async () => {
  await stage.put(shop);
  const baseUrl = `http://127.0.0.1:${stage.port()}/prod/v1`;
  const { environment: env } = await awsAround({ baseUrl, tables: stage.tables });
  const command = ['keys', 'update', '1111111111111111', '--name', 'Cy', '--stage', 'prod'];
  const prompt = 'Update prod key 1111111111111111 ("shop")? [y/N] ';
  expect(await typedOn(command, { prompt, keys: 'yx\u007f\r', env })).toStrictEqual({
    code: 0,
    screen: `${onProd}${prompt}yx\b \b\nKey 1111111111111111 ("Cy") can write and never expires.\n`,
  });
});
