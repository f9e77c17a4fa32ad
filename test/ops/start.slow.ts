import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { childProcesses } from '../support/child-processes.ts';
import { ended, spawnStart, startRun, temporaryDirectory } from '../support/local-run.ts';
import { project } from '../support/tools.ts';

test('synthesizes once, outside of the checkout', async () => {
  const cdkOut = () => statSync(join(project, 'cdk.out'), { throwIfNoEntry: false })?.mtimeMs;
  const before = cdkOut();
  const first = await startRun([]);
  await first.stop();
  const again = await startRun([]);
  await again.stop();
  const logs = [first, again].map((run) => run.log().includes('Synthesizing the stack, which takes some seconds…'));
  expect(logs).toEqual([true, false]);
  expect(cdkOut()).toBe(before);
});

test('stops without a word while it synthesizes', async () => {
  const temporary = readdirSync(temporaryDirectory);
  // Nothing was synthesized with this in the environment before.
  const child = spawnStart(['--port', '0'], { CDK_TEST: crypto.randomUUID() });
  const ending = ended(child);
  await once(child.stderr as Readable, 'data');
  // A terminal interrupts cdk synth too.
  for (const pid of [child.pid as number, ...childProcesses(child.pid)]) {
    process.kill(pid, 'SIGINT');
  }
  expect(await ending).toEqual({
    code: 0,
    output: '',
    errors: 'Synthesizing the stack, which takes some seconds…\n',
  });
  expect(readdirSync(temporaryDirectory)).toEqual(temporary);
});
