import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { spawnStart, startRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { childProcesses } from '../../support/process/child-processes.ts';
import { projectCopy } from '../../support/process/project-copy.ts';
import { ended } from '../../support/process/tools.ts';

const notice = 'Synthesizing the stack, which takes a few seconds…\n';

const project = projectCopy();
// The stages of the copy, and not those that other tests have.
const env = { CDK_APP: undefined };

test('start synthesizes only once, and outside the project', async () => {
  for (const isFirst of [true, false]) {
    const run = await startRun([], env, project);
    await run.stop();
    expect(run.log().includes(notice)).toBe(isFirst);
  }
  expect(existsSync(join(project, 'cdk.out'))).toBe(false);
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
    const child = spawnStart(['--port', '0'], { ...env, CDK_TEST: crypto.randomUUID() }, project);
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
    while (group(cdk).length > 0) {
      await sleep(50);
    }
    expect(readdirSync(temporaryDirectory)).toEqual(temporary);
  },
);
