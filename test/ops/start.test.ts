import { exec } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { readStack } from '../../infra/assembly/resolved-stack.ts';
import { startTables } from '../../local/tables/tables.ts';
import { serve } from '../support/http/serve.ts';
import {
  type LocalRun,
  localRun,
  spawnStart,
  startRun,
  temporaryDirectory,
} from '../support/local/local-run.ts';
import { ops, spawnOps } from '../support/ops/ops.ts';
import { preload } from '../support/process/preload.ts';
import { ended } from '../support/process/tools.ts';
import { assembly } from '../support/stack/assembly.ts';
import { assemblyWith, changedTemplate } from '../support/stack/synthesized.ts';

const quantityOf = async (run: LocalRun) =>
  Number(/"petId":1,"quantity":(\d+)/.exec((await run.send({ path: '/inventory' })).text)?.[1]);
const portOf = ({ baseUrl }: LocalRun) => new URL(baseUrl).port;

test('start serves a stage that has an account, a region and a domain name, and prints output that programs can read', async () => {
  const template = changedTemplate(({ Outputs }) => {
    Outputs.DomainTarget = { Value: { 'Fn::GetAtt': ['ApiDomain', 'RegionalDomainName'] } };
  });
  const env: Record<string, string> = {
    AccountId: '111122223333',
    Region: 'us-gov-west-1',
    Partition: 'aws-us-gov',
  };
  const reference = /\{"Ref":"AWS::(AccountId|Region|Partition)"\}/g;
  const tied = JSON.stringify(template).replace(reference, (_found, name) => `"${env[name]}"`);
  const app = assemblyWith(JSON.parse(tied), '111122223333/us-gov-west-1');
  const run = await localRun('--app', app, '--stage', 'prod', '--log-format', 'text');
  const tables = 'prod-petstore-inventory-\\w+';
  expect(run.output).toMatch(
    new RegExp(
      '^Petstore inventory, stage prod, tables (in memory|at http://[^ ]+)\\. Ctrl-C stops it\\.\n\n' +
        'Base URL: http://127\\.0\\.0\\.1:\\d+/prod/v1\nAPI key: petstore_prod_[0-9a-f]{48}\n' +
        `DynamoDB: http://127\\.0\\.0\\.1:\\d+ \\(tables ${tables}, ${tables}\\)\n` +
        'API reference: http://127\\.0\\.0\\.1:\\d+/\n\nTry it:\ncurl .*\n\n$',
    ),
  );
  const { stdout } = await promisify(exec)(/^curl .*$/m.exec(run.output)?.[0] ?? '');
  expect(JSON.parse(stdout)).toHaveLength(7);
  await run.stop();
  expect(run.process.exitCode).toBe(0);
  expect(run.log()).toMatch(/GET .*\/inventory.* 200/);
});

test('start works for a user without a name or a home directory, and ignores PETSTORE_STAGE', async () => {
  const homeless =
    'import os from "node:os"; import { syncBuiltinESMExports } from "node:module";' +
    'os.homedir = os.userInfo = () => { throw new Error("uv_os_homedir returned ENOENT") };' +
    'syncBuiltinESMExports();';
  const env = {
    AWS_USE_FIPS_ENDPOINT: 'true',
    HOME: undefined,
    NODE_OPTIONS: preload(homeless),
  };
  const run = await startRun(['--app', assembly], { ...env, PETSTORE_STAGE: 'prod' });
  expect(run.baseUrl).toMatch(/\/staging\/v1$/);
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
  const list = spawnOps(['keys', 'list', '--local', '--port', portOf(run)], { env });
  expect(await ended(list)).toMatchObject({
    code: 0,
    output: expect.stringContaining('petstore start'),
  });
});

test('with --data, start keeps every confirmed write even when killed, and lets no other run use its port or directory', async () => {
  const data = join(temporaryDirectory, 'data');
  // An earlier start that was stopped halfway has left tables with no key and only part of the
  // sample.
  const stack = readStack(assembly, 'staging');
  mkdirSync(join(data, 'in-use'), { recursive: true });
  const stopped = await startTables(stack, { dataDirectory: data, endpoint: undefined });
  const Item = { petId: { N: '2' }, quantity: { N: '3' }, status: { S: 'pending' } };
  await stopped.client.send(
    new PutItemCommand({ TableName: stack.output('InventoryTableName'), Item }),
  );
  await stopped.close();
  let kept = 12;
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const run = await localRun('--data', data);
    expect(await quantityOf(run)).toBe(kept);
    kept += 1;
    await run.patch(1, `{"quantity":${kept}}`);
    run.process.kill(signal);
    await once(run.process, 'exit');
  }
  const last = await localRun('--data', data);
  expect(await quantityOf(last)).toBe(kept);
  const errors = `petstore: --data ${data} cannot be used: another run is using it.\n`;
  expect(await ended(spawnStart(['--port', '0', '--data', data]))).toEqual({
    code: 3,
    output: '',
    errors,
  });
  const both = [1, 2].map(() =>
    ended(spawnStart(['--port', '0', '--app', assembly, '--data', `${data}2`])),
  );
  expect(await Promise.race(both)).toEqual({
    code: 3,
    output: '',
    errors: errors.replace(data, `${data}2`),
  });
  const inUse = `petstore: Port ${portOf(last)} is in use.\nUse any free port: npx --no -- petstore start --port 0\n`;
  expect(await ended(spawnStart(['--port', portOf(last)]))).toEqual({
    code: 6,
    output: '',
    errors: inUse,
  });
});

test('start writes a run file for its user only, logs JSON with --json, and stops at once although a client is connected', async () => {
  const run = await localRun('--json');
  const descriptions = join(temporaryDirectory, `petstore-inventory-runs-${process.getuid?.()}`);
  const file = join(descriptions, `${run.process.pid}.json`);
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    pid: run.process.pid,
    stageName: 'staging',
    baseUrl: run.baseUrl,
  });
  expect(text).not.toContain(run.apiKey);
  expect([statSync(descriptions).mode & 0o777, statSync(file).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);

  await run.send({ path: '/inventory' });
  const socket = connect(Number(portOf(run)), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const asked = performance.now();
  await run.stop();
  expect(performance.now() - asked).toBeLessThan(5_000);
  socket.destroy();

  expect(existsSync(file)).toBe(false);
  const lines = run.log().match(/^\{.*\}$/gm) ?? [];
  expect(lines.map((line) => JSON.parse(line).status)).toContain('200');
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

const file = join(temporaryDirectory, 'file');
writeFileSync(file, '');

test.each([
  [
    '--dynamodb',
    await serve(() => {}),
    '--dynamodb http://.+ cannot be used as an engine of DynamoDB: it does not answer.',
  ],
  ['--app', 'functions', 'functions holds no synthesized stage staging. npx cdk synth writes one.'],
  ['--data', file, `--data ${file} cannot be used: .+`],
  // Node's recursive mkdir never returns for this path.
  ['--data', '/proc/inventory', '--data /proc/inventory cannot be used: .+'],
])('start rejects %s %s', async (option, directory, reason) => {
  const errors = expect.stringMatching(`^petstore: ${reason}\n$`);
  const options = ['--port', '0', '--app', assembly, option, directory];
  expect(await ops(['start', ...options])).toEqual({ code: 3, output: '', errors });
});
