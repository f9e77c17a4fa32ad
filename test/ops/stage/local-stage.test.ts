import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';

describe('petstore --local', () => {
  const runs: LocalRun[] = [];
  const start = async (...options: string[]) => {
    const run = await localRun(...options);
    runs.push(run);
    return { run, port: new URL(run.baseUrl).port };
  };
  afterEach(() => Promise.all(runs.splice(0).map((run) => run.stop())));

  const list = (...options: string[]) => ops(['keys', 'list', '--local', ...options]);
  const none = (...lines: string[]) => ({ code: 6, output: '', errors: `petstore: ${lines.join('\n')}\n` });

  test('finds a run while it runs, whatever its port, and not one that was killed', async () => {
    const { run: killed } = await start();
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    const noRun = none('There is no local run.', 'Start one: npx petstore start');
    expect(await list()).toEqual(noRun);

    const { run } = await start();
    const errors = `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`;
    expect(await list()).toMatchObject({ code: 0, errors });
    await run.stop();
    expect(await list()).toEqual(noRun);
  });

  test('asks which, if several run', async () => {
    const [staging, prod] = [await start(), await start('--stage', 'prod')];
    const choices = [`--port ${staging.port} (staging)`, `--port ${prod.port} (prod)`];
    const inEitherOrder = [choices, choices.toReversed()].map((order) =>
      none('There are several local runs.', `Choose one: ${order.join(', ')}`),
    );
    expect(inEitherOrder).toContainEqual(await list());
    expect((await list('--port', prod.port)).errors).toContain(prod.run.baseUrl);
    const noRun = none('There is no local run on port 1.', 'Start one: npx petstore start --port 1');
    expect(await list('--port', '1')).toEqual(noRun);
  });
});
