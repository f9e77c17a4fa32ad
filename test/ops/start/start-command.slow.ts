import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import {
  localRun,
  spawnStart,
  startRun,
  temporaryDirectory,
} from '../../support/local/local-run.ts';
import { childProcesses } from '../../support/process/child-processes.ts';
import { preload } from '../../support/process/preload.ts';
import { projectCopy } from '../../support/process/project-copy.ts';
import { ended } from '../../support/process/tools.ts';
import { sharedAssembly } from '../../support/stack/shared-assembly.ts';

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

test('start works for a user without a name or a home directory', async () => {
  const homeless =
    'import os from "node:os"; import { syncBuiltinESMExports } from "node:module";' +
    'os.homedir = os.userInfo = () => { throw new Error("uv_os_homedir returned ENOENT") };' +
    'syncBuiltinESMExports();';
  const environment = {
    AWS_USE_FIPS_ENDPOINT: 'true',
    HOME: undefined,
    NODE_OPTIONS: preload(homeless),
    // For other commands: start runs staging unless --stage says otherwise.
    PETSTORE_STAGE: 'prod',
  };
  const run = await startRun(['--app', await sharedAssembly()], environment);
  expect(run.baseUrl).toMatch(/\/staging\/v1$/);
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
});

test('start says why the stack cannot be synthesized', async () => {
  const errors = expect.stringMatching(
    /^Synthesizing.*\npetstore: cdk synth failed\.\n(.*\n)*.*x is not defined\n/,
  );
  expect(await ended(spawnStart(['--port', '0'], { CDK_APP: 'node -p x' }))).toEqual({
    code: 8,
    output: '',
    errors,
  });
});

test('start stops when its standard output is closed', async () => {
  const run = await localRun();
  run.process.stdout?.destroy();
  // The run notices the closed pipe when it logs this request. It may then cut off the response.
  run.send({ path: '/inventory' }).catch(() => {});
  await once(run.process, 'exit');
  expect(run.process.exitCode).toBe(0);
});
