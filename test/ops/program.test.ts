import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { runProgram } from '../../ops/program.ts';
import { keysStage } from '../support/ops/keys.ts';
import { petstore } from '../support/ops/petstore.ts';

const stage = keysStage();

test('output that nobody reads to its end is an error', async () => {
  expect(await petstore(['--help'], { fails: 'EPIPE' })).toStrictEqual({
    code: 1,
    output: '',
    errors: 'petstore: Not all of the output was written: whoever reads it left early.\n',
  });
});

test('a connection that breaks is no reader who has left, and an error: with --json in JSON', async () => {
  // As the SDK throws it after its last attempt.
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', $metadata: {} });
  const stdin = new Readable({ read: () => stdin.destroy(broken) });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const words = ['keys', 'find', '--json', '--local', '--port', stage.port()];
  expect(await runProgram(words, { stdin, stdout: new PassThrough(), stderr, env: {} })).toBe(1);
  expect(stderr.read()).toBe(
    `Stage: staging of the local run at http://127.0.0.1:${stage.port()}/staging/v1\n` +
      '{"error":{"message":"write EPIPE"}}\n',
  );
});

test('petstore ends as it would although nobody reads standard error any more', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  expect(await runProgram(['keys'], { stdin, stdout, stderr, env: {} })).toBe(2);
});
