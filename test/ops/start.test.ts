import { exec } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { childProcesses } from '../support/child-processes.ts';
import {
  ended,
  type LocalRun,
  localRun,
  spawnStart,
  synthesizingRun,
  temporaryDirectory,
} from '../support/local-run.ts';

describe('npm start', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const quantityOf = async (run: LocalRun, petId: bigint) => {
    const { body } = await run.send({ path: '/inventory' });
    return (body as { petId: bigint; quantity: bigint }[]).find((item) => item.petId === petId)?.quantity;
  };
  const setQuantity = async (run: LocalRun, petId: string, quantity: number) => {
    const answer = await run.send({
      method: 'PATCH',
      path: `/inventory/${petId}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    });
    expect(answer.status).toBe(200);
  };

  test.each(['staging', 'prod'])('serves %s and prints how to reach it', async (stage) => {
    const run = await synthesizingRun('--stage', stage);
    expect(run.baseUrl).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${stage}/v1$`));
    expect(run.apiKey).toMatch(new RegExp(`^petstore_${stage}_[0-9a-f]{48}$`));
    const curl = /^curl .*$/m.exec(run.output)?.[0] ?? '';
    const { stdout } = await promisify(exec)(curl);
    expect(JSON.parse(stdout)).toHaveLength(7);
    await run.stop();
    expect(run.process.exitCode).toBe(0);
  });

  test('keeps with --data what it has answered, even when it is killed', async () => {
    const data = join(directory, 'data');
    const first = await localRun('--data', data);
    await setQuantity(first, '1', 4711);
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');

    const second = await localRun('--data', data);
    expect(await quantityOf(second, 1n)).toBe(4711n);
    await setQuantity(second, '1', 4712);
    await second.stop();

    const third = await localRun('--data', data);
    expect(await quantityOf(third, 1n)).toBe(4712n);
    const another = await ended(spawnStart('--port', '0', '--data', data));
    await third.stop();
    expect(another).toEqual({
      code: 1,
      output: '',
      errors: `npm start: --data ${data} cannot be used: another run is using it.\n`,
    });
  });

  test('works with --dynamodb on the tables of an engine that runs', async () => {
    const first = await localRun();
    const second = await localRun('--dynamodb', first.tables.endpoint);
    await setQuantity(second, '1', 4713);
    expect(await quantityOf(first, 1n)).toBe(4713n);
    await second.stop();
    expect(await quantityOf(first, 1n)).toBe(4713n);
    await first.stop();
  });

  test('describes itself to programs of the same user while it runs, without its key', async () => {
    const run = await localRun();
    const descriptions = join(temporaryDirectory, `petstore-inventory-${userInfo().username}`);
    const file = join(descriptions, `${run.process.pid}.json`);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ pid: run.process.pid, stageName: 'staging', baseUrl: run.baseUrl });
    expect(text).not.toContain(run.apiKey);
    expect([statSync(descriptions).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    await run.stop();
    expect(existsSync(file)).toBe(false);
  });

  test('stops at once, though a client holds a connection', async () => {
    const run = await localRun();
    const socket = connect(Number(new URL(run.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {});

    const exit = once(run.process, 'exit');
    const asked = performance.now();
    run.process.kill('SIGINT');
    await exit;
    expect(performance.now() - asked).toBeLessThan(2_000);
    socket.destroy();
  });

  test('stops without a word while it starts', async () => {
    const temporary = readdirSync(temporaryDirectory);
    const child = spawnStart('--port', '0');
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

  test('says in one line that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = await ended(spawnStart('--port', String(port)));
    server.close();
    expect(refused).toEqual({
      code: 1,
      output: '',
      errors: `npm start: port ${port} is in use. Choose another: npm start -- --port 0\n`,
    });
  });

  test.each([
    [['--nonsense'], "Unknown option '--nonsense'. See npm start -- --help."],
    [['--port', '65536'], '--port must be a number from 0 to 65535, not "65536".'],
    [['--port', 'http'], '--port must be a number from 0 to 65535, not "http".'],
    [['--dynamodb', '8000'], '--dynamodb must be the URL of an engine that keeps its own data, without --data.'],
    [
      ['--dynamodb', 'http://127.0.0.1:8000', '--data', 'x'],
      '--dynamodb must be the URL of an engine that keeps its own data, without --data.',
    ],
    [['--app', 'functions'], '--app functions is no cloud assembly of staging. npx cdk synth writes one.'],
    [['--stage', 'production'], '--stage must be staging or prod, not "production".'],
  ])('refuses %j in one line', async (options, reason) => {
    expect(await ended(spawnStart(...options))).toEqual({ code: 1, output: '', errors: `npm start: ${reason}\n` });
  });

  test('refuses a data directory that is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    // mkdir never returns from the second, if it is told to make its parents too.
    for (const path of [file, '/proc/inventory']) {
      const { code, output, errors } = await ended(spawnStart('--data', path));
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(new RegExp(`^npm start: --data ${path} cannot be used: .+\n$`));
    }
  });

  test('explains itself with --help', async () => {
    const { code, output, errors } = await ended(spawnStart('--help'));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    for (const option of ['--port', '--stage', '--app', '--data', '--dynamodb', '--help']) {
      expect(output).toContain(option);
    }
  });
});
