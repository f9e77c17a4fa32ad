// A bridge that offers the operations of openapi.yaml to agents as tools of the Model Context
// Protocol. docs/api.md says how such a client stays exact.
import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from '@jest/globals';
import { failure, list, scriptedService } from '../support/clients/scripted-service.ts';
import { atEnd } from '../support/process/at-end.ts';
import { npmPrograms } from '../support/process/installs.ts';
import { project } from '../support/process/tools.ts';

let program = '';

beforeAll(async () => {
  program = join(await npmPrograms('test/peers'), 'openapi-mcp-server');
});

/** Starts the bridge. Returns how to send it a message, whose arguments are JSON as an agent writes it. */
const startBridge = async (baseUrl: string) => {
  const target = ['--api-base-url', baseUrl, '--headers', 'Authorization:Bearer key'];
  const options = [...target, '--openapi-spec', 'openapi.yaml', '--verbose', 'false'];
  const { PATH } = process.env;
  const bridge = spawn(program, options, { cwd: project, env: { PATH } });
  atEnd(() => bridge.kill());
  const lines = on(createInterface(bridge.stdout), 'line');
  let id = 0;
  const ask = async (method: string, params: string) => {
    id += 1;
    bridge.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
    const { value: [line] = [] } = await lines.next();
    return JSON.parse(line).result;
  };
  const client = '{"name":"test","version":"1"}';
  await ask(
    'initialize',
    `{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":${client}}`,
  );
  const { tools } = await ask('tools/list', '{}');
  const nameOf = (wanted: string): string =>
    tools.find(({ httpMethod }: { httpMethod: string }) => httpMethod === wanted).name;
  return async (method: string, given: string): Promise<string> => {
    const { content } = await ask(
      'tools/call',
      `{"name":"${nameOf(method)}","arguments":${given}}`,
    );
    return content[0].text;
  };
};

test('a bridge for agents rounds the petIds of a list, and those that it gets as numbers', async () => {
  const { baseUrl, paths } = await scriptedService();
  const call = await startBridge(baseUrl);
  expect(await call('GET', '{}')).not.toContain('9007199254740993');
  await call('PATCH', '{"petId":9007199254740993,"quantity":5}');
  expect(paths()).toStrictEqual(['/v1/inventory/9007199254740992']);
});

test('a bridge for agents sends a petId that it gets as text, and a condition, once', async () => {
  const { baseUrl, paths, conditions, keys } = await scriptedService([list, failure(503)]);
  const call = await startBridge(baseUrl);
  await call('GET', '{}');
  const condition = '"If-Match":"\\"12-available\\"","Idempotency-Key":"1"';
  const update = `{"petId":"9007199254740993","quantity":5,${condition}}`;
  expect(await call('PATCH', update)).toContain('503');
  expect({ paths: paths(), conditions: conditions(), keys: keys() }).toStrictEqual({
    paths: ['/v1/inventory/9007199254740993'],
    conditions: ['"12-available"'],
    keys: [1],
  });
});
