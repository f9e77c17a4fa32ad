// What only the program shows as people start it: through npm and npx, and on a terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { awsAround } from '../support/ops/fake-aws.ts';
import { keysStage, onProd, shop } from '../support/ops/keys.ts';
import { atEnd } from '../support/process/at-end.ts';
import { ended, project, runProgram } from '../support/process/tools.ts';
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

test('every petstore command in the code and the documents is spelled so', () => {
  const files = trackedFiles(/\.(md|ts|cjs|js|html|json|ya?ml|sh)$|^\.ci\/run$/);
  const spellings = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/\b(npx|npm exec)\b[\w -]*? petstore\b( start\b)?/g),
    ].map(([spelling]) => `${file}: ${spelling}`),
  );
  expect(spellings.length).toBeGreaterThan(10);
  const isRight = /: npx --no -- petstore( start)?$/;
  expect(spellings.filter((each) => !isRight.test(each))).toStrictEqual([]);
});

const stage = keysStage();

test('a command whose file takes only half of its output fails', async () => {
  await stage.put(...Array.from({ length: 20 }, (_, key) => ({ ...shop, keyHash: `hash ${key}` })));
  const file = join(process.env.TEST_RUN_DIRECTORY ?? '', 'half.json');
  // The longest file, in KiB.
  const command = ['keys', 'list', '--json', '--local', '--port', stage.port()];
  const limited = ['-c', `ulimit -f 1; exec "$@" > ${file}`, 'bash', process.execPath, bin];
  const { code, errors } = await runProgram('bash', [...limited, ...command]);
  expect({ code, errors, length: readFileSync(file).length }).toStrictEqual({
    code: 1,
    errors: expect.stringMatching(
      /^Stage: .*\n{"error":{"message":"Not all of the output was written: EFBIG: .*\."}}\n$/,
    ),
    length: 1024,
  });
});

test('a question on a terminal takes a line that is mended', async () => {
  await stage.put(shop);
  const { environment } = await awsAround(stage.tables);
  const words = ['keys', 'expire', shop.keyId, 'never', '--stage', 'prod'];
  const command = [process.execPath, bin, ...words];
  const line = command.map((part) => `'${part}'`).join(' ');
  // What is written to it is typed on a terminal. The script of a Mac has other options.
  const options =
    process.platform === 'darwin' ? ['-q', '/dev/null', ...command] : ['-qec', line, '/dev/null'];
  const child = spawn('script', options, { env: { ...process.env, ...environment } });
  // One that a failed test leaves behind would keep Jest from ending.
  atEnd(() => child.kill());
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (screen += chunk));
  const closed = once(child, 'close');
  await until('the question', () => screen.endsWith(' [y/N] '));
  child.stdin.write('yx\u007f\r');
  expect(await closed).toStrictEqual([0, null]);
  expect(screen.replaceAll('\r\n', '\n')).toBe(
    `${onProd}Prod key 1111111111111111 ("shop") then never expires. Change it? [y/N] yx\b \b\n` +
      'Key 1111111111111111 ("shop") can write and never expires.\n',
  );
});
