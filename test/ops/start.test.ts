import { exec } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { ended, type LocalRun, localRun, spawnStart, startRun, temporaryDirectory } from '../support/local-run.ts';
import { ops, spawnOps } from '../support/ops.ts';

describe('petstore start', () => {
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
    const response = await run.send({
      method: 'PATCH',
      path: `/inventory/${petId}`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    });
    expect(response.status).toBe(200);
  };

  test('serves a stage, and prints what programs read in the same lines', async () => {
    const stage = 'prod';
    const run = await localRun('--stage', stage, '--log-format', 'text');
    const tables = `${stage}-petstore-inventory-\\w+`;
    expect(run.output).toMatch(
      new RegExp(
        `^Petstore inventory, stage ${stage}, tables (in memory|at http://[^ ]+)\\. Ctrl-C stops it\\.\n\n` +
          `Base URL: http://127\\.0\\.0\\.1:\\d+/${stage}/v1\nAPI key: petstore_${stage}_[0-9a-f]{48}\n` +
          `DynamoDB: http://127\\.0\\.0\\.1:\\d+ \\(tables ${tables}, ${tables}\\)\n` +
          'API reference: http://127\\.0\\.0\\.1:\\d+/\n\nTry it:\ncurl .*\n\n$',
      ),
    );
    const curl = /^curl .*$/m.exec(run.output)?.[0] ?? '';
    const { stdout } = await promisify(exec)(curl);
    expect(JSON.parse(stdout)).toHaveLength(7);
    await run.stop();
    expect(run.process.exitCode).toBe(0);
    expect(run.log()).toMatch(/GET .*\/inventory.* 200/);
  });

  test('works for a user without a name and a home, and ignores PETSTORE_STAGE', async () => {
    const homeless =
      'import os from "node:os"; import { syncBuiltinESMExports } from "node:module";' +
      'os.homedir = os.userInfo = () => { throw new Error("uv_os_homedir returned ENOENT") };' +
      'syncBuiltinESMExports();';
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(homeless)}`;
    const run = await startRun(['--app', assembly], { HOME: undefined, NODE_OPTIONS, PETSTORE_STAGE: 'prod' });
    expect(run.baseUrl).toMatch(/\/staging\/v1$/);
    expect((await run.send({ path: '/inventory' })).status).toBe(200);
    const child = spawnOps(['keys', 'list', '--local', '--port', new URL(run.baseUrl).port], {
      env: { HOME: undefined, NODE_OPTIONS },
    });
    expect(await ended(child)).toMatchObject({ code: 0, output: expect.stringContaining('petstore start') });
    await run.stop();
  });

  test('keeps with --data what it has confirmed, even when it is killed', async () => {
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
    const another = await ended(spawnStart(['--port', '0', '--data', data]));
    await third.stop();
    expect(another).toEqual({
      code: 3,
      output: '',
      errors: `petstore: --data ${data} cannot be used: another run is using it.\n`,
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

  test('describes itself while it runs, logs with --json as CloudWatch would, and stops at once, though a client holds a connection', async () => {
    const run = await localRun('--json');
    const descriptions = join(temporaryDirectory, `petstore-inventory-runs-${process.getuid?.()}`);
    const file = join(descriptions, `${run.process.pid}.json`);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ pid: run.process.pid, stageName: 'staging', baseUrl: run.baseUrl });
    expect(text).not.toContain(run.apiKey);
    expect([statSync(descriptions).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);

    await run.send({ path: '/inventory' });
    const socket = connect(Number(new URL(run.baseUrl).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    const exit = once(run.process, 'close');
    const asked = performance.now();
    run.process.kill('SIGINT');
    await exit;
    expect(performance.now() - asked).toBeLessThan(5_000);
    socket.destroy();

    expect(existsSync(file)).toBe(false);
    const lines = run.log().match(/^\{.*\}$/gm) ?? [];
    expect(lines.map((line) => JSON.parse(line).status)).toContain('200');
  });

  test('says in one line that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const rejected = await ended(spawnStart(['--port', String(port)]));
    server.close();
    expect(rejected).toEqual({
      code: 6,
      output: '',
      errors: `petstore: Port ${port} is in use.\nChoose another: npx petstore start --port 0\n`,
    });
  });

  const usage = (reason: string): [number, string] => [2, `${reason}\nHelp: npx petstore start --help`];
  const noUrl = "option '--dynamodb <url>' argument '8000' is invalid. It must be the http or https URL of a DynamoDB engine.";

  test.each<[string[], [number, string]]>([
    [['--nonsense'], usage("unknown option '--nonsense'")],
    [
      ['--port', '65536'],
      usage("option '--port <port>' argument '65536' is invalid. It must be a number from 0 to 65535."),
    ],
    [['--dynamodb', '8000'], usage(noUrl)],
    [
      ['--dynamodb', 'http://127.0.0.1:8000', '--data', 'x'],
      usage("option '--dynamodb <url>' cannot be used with option '--data <dir>'"),
    ],
    [
      ['--app', 'functions'],
      [3, '--app functions is not a cloud assembly of staging.\nWrite one: npx cdk synth'],
    ],
    [
      ['--stage', 'production'],
      usage("option '--stage <stage>' argument 'production' is invalid. Allowed choices are staging, prod."),
    ],
    [
      ['--log-format', 'xml'],
      usage("option '--log-format <format>' argument 'xml' is invalid. Allowed choices are text, json."),
    ],
  ])('rejects %j', async (options, [code, message]) => {
    expect(await ops(['start', ...options])).toEqual({ code, output: '', errors: `petstore: ${message}\n` });
  });

  test('rejects a data directory that is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    // mkdir never returns from the second, if it is told to make its parents too.
    for (const path of [file, '/proc/inventory']) {
      const { code, output, errors } = await ops(['start', '--data', path]);
      expect({ code, output }).toEqual({ code: 3, output: '' });
      expect(errors).toMatch(new RegExp(`^petstore: --data ${path} cannot be used: .+\n$`));
    }
  });
});
