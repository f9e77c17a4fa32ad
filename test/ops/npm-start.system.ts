import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { petstore } from '../../ops/program.ts';
import { outputOf, runProgram } from '../support/process/tools.ts';

test('npm start --data=DIR says that the option must come after --', async () => {
  expect(await runProgram('npm', ['start', '--silent', '--data=DIR'])).toStrictEqual({
    code: 2,
    output: '',
    errors:
      'error: npm took --data for itself. Options come after --, as in: npm start -- --data <dir>\n' +
      '(--help shows how it is used)\n',
  });
});

test('npm has no setting with the name of an option of petstore start', async () => {
  const stream = new PassThrough();
  const terminal = { stdin: stream, stdout: stream, stderr: stream, env: {} };
  const start = petstore(terminal).commands.find((command) => command.name() === 'start');
  const options = (start?.options ?? []).map((option) => option.name());
  const settings = JSON.parse(await outputOf('npm', 'config', 'list', '--long', '--json'));
  expect(options).toContain('data');
  expect(options.filter((name) => name in settings)).toStrictEqual([]);
});
