import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { spawnStart, startRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { childProcesses } from '../../support/process/child-processes.ts';
import { ended, project } from '../../support/process/tools.ts';

const notice = 'Synthesizing the stack, which takes a few seconds…\n';

test('start synthesizes only once, and outside the checkout', async () => {
  const cdkOut = () => statSync(join(project, 'cdk.out'), { throwIfNoEntry: false })?.mtimeMs;
  const before = cdkOut();
  // With a new environment variable, no assembly is kept yet.
  const env = { CDK_TEST: crypto.randomUUID() };
  for (const isFirst of [true, false]) {
    const run = await startRun([], env);
    await run.stop();
    expect(run.log().includes(notice)).toBe(isFirst);
  }
  expect(cdkOut()).toBe(before);
});

/**
 * Returns the processes of a process group, except zombies (state Z), which have ended but are
 * still listed.
 */
const group = (id: number | undefined) =>
  execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' }).match(
    new RegExp(`^ *${id} +[^Z\\s].*$`, 'gm'),
  ) ?? [];

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops start and cdk during the synthesis',
  async (signal) => {
    const temporary = readdirSync(temporaryDirectory);
    // The new environment variable keeps start from reusing the assembly of an earlier synthesis.
    const child = spawnStart(['--port', '0'], { CDK_TEST: crypto.randomUUID() });
    const ending = ended(child);
    await once(child.stderr as Readable, 'data');
    const [cdk] = childProcesses(child.pid);
    expect(group(cdk)).not.toEqual([]);
    child.kill(signal);
    expect(await ending).toEqual({
      code: null,
      output: '',
      errors: `${notice}petstore: Interrupted.\n`,
    });
    await sleep(500);
    expect(group(cdk)).toEqual([]);
    expect(readdirSync(temporaryDirectory)).toEqual(temporary);
  },
);
