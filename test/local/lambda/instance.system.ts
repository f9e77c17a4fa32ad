import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { startInstance } from '../../../local/lambda/instance.ts';
import { evaluating, optionsFor } from '../../support/local/fixture-function.ts';

test('an instance fails when its process cannot be started', async () => {
  const { process: child, idle, end } = await startInstance(optionsFor(''));
  child.emit('error', new Error('spawn node EMFILE'));
  await expect(idle()).rejects.toMatchObject({
    name: 'FunctionError',
    message: 'spawn node EMFILE',
  });
  end();
});

test('an instance ends with the process that started it', async () => {
  const code = `setInterval(() => {}, 1000);${evaluating}`;
  const instance = await startInstance(optionsFor(code));
  await instance.idle();
  const ended = once(instance.process, 'exit');
  instance.process.disconnect();
  expect(await ended).toEqual([0, null]);
});

test('an instance outlives a Ctrl-C, which reaches it as well as its parent process', async () => {
  const instance = await startInstance(optionsFor(evaluating));
  await instance.idle();
  instance.process.kill('SIGINT');
  await instance.invoke('"1 + 1"');
  await instance.idle();
  expect(instance.process.exitCode).toBeNull();
  instance.end();
});

test('an instance that is ended says nothing', async () => {
  const logged: string[] = [];
  const options = { ...optionsFor(evaluating), log: (line: string) => void logged.push(line) };
  const instance = await startInstance(options);
  await instance.idle();
  const ended = once(instance.process, 'exit');
  instance.end();
  await ended;
  expect(logged).toEqual([]);
});
