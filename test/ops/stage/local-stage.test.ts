import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { ops } from '../../support/ops.ts';

describe('petstore --local', () => {
  const runs: LocalRun[] = [];
  const start = async (...options: string[]) => {
    const run = await localRun(...options);
    runs.push(run);
    return run;
  };
  afterEach(() => Promise.all(runs.splice(0).map((run) => run.stop())));

  const portOf = ({ baseUrl }: LocalRun) => new URL(baseUrl).port;
  const list = (...options: string[]) => ops(['keys', 'list', '--local', ...options]);
  const none = 'petstore: There is no local run.\nStart one: npx petstore start\n';

  test('finds a run while it runs, whatever its port, and not one that was killed', async () => {
    const killed = await start();
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');

    expect(await list()).toEqual({ code: 6, output: '', errors: none });
    const run = await start();
    expect(await list()).toMatchObject({
      code: 0,
      errors: `Stage: staging of the local run at ${run.baseUrl}, account 000000000000\n`,
    });
    await run.stop();
    expect(await list()).toEqual({ code: 6, output: '', errors: none });
  });

  test('asks which, if several run', async () => {
    const staging = await start();
    const prod = await start('--stage', 'prod');
    const { code, output, errors } = await list();
    expect({ code, output }).toEqual({ code: 6, output: '' });
    expect(errors).toMatch(/^petstore: There are several local runs\.\nChoose one: --port .*\n$/);
    expect(errors).toContain(`${portOf(staging)} (staging)`);
    expect(errors).toContain(`${portOf(prod)} (prod)`);

    expect((await list('--port', portOf(prod))).errors).toContain(prod.baseUrl);
    expect(await list('--port', '1')).toEqual({
      code: 6,
      output: '',
      errors: 'petstore: There is no local run on port 1.\nStart one: npx petstore start --port 1\n',
    });
  });
});
