// Who can reach the servers of a local run: programs on this machine, and no page in a browser.
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { functionSpecs } from '../../../infra/service/operations.ts';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { operatorsApi } from '../../../local/gateway/operators-api.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import { inspectPorts } from '../../../local/lambda/inspect-ports.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { forPrograms, listen } from '../../../local/shared/local-server.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

test('a server listens where no other machine can connect, and tells where', async () => {
  const server = createServer();
  const { port, address, close } = await listen(server);
  atEnd(close);
  expect(server.address()).toStrictEqual({ address: '127.0.0.1', family: 'IPv4', port });
  expect(address).toBe(`127.0.0.1:${port}`);
});

test('a debugger of each function attaches at a free port, or at one and the next ones', async () => {
  const names = functionSpecs.map(({ name }) => name);
  const free = await inspectPorts(0);
  expect(Object.keys(free)).toStrictEqual(names);
  expect(new Set(Object.values(free)).size).toBe(names.length);
  // Other programs may have the next ports of one that is free.
  const [first, ports] = await until('free ports in a row', async () => {
    const { Authorizer = 0 } = await inspectPorts(0);
    return [Authorizer, await inspectPorts(Authorizer)] as const;
  });
  const next = names.map((name, index) => [name, first + index]);
  expect(ports).toStrictEqual(Object.fromEntries(next));
});

const reached = { status: 200, text: 'reached' };
const rejected = {
  status: 403,
  text: '{"message":"Only programs on this machine may use this."}',
};

test.each<{ headers: Record<string, string>; response: object }>([
  { headers: { Host: 'LOCALHOST:80' }, response: reached },
  { headers: { Host: '127.0.0.1' }, response: reached },
  { headers: { Host: '[::1]:3000' }, response: reached },
  { headers: { Host: 'localhost.evil.example' }, response: rejected },
  { headers: { Host: '127.0.0.1.evil.example:80' }, response: rejected },
  { headers: { Host: 'evil.example:127.0.0.1' }, response: rejected },
  { headers: { Origin: 'null' }, response: rejected },
  { headers: { 'Sec-Fetch-Site': 'none' }, response: rejected },
])('what is for programs is served to a request with $headers: $response.status', async (row) => {
  const url = await serve(forPrograms((_message, response) => void response.end('reached')));
  const { status, text } = await sendRaw(url, { path: '/', headers: row.headers });
  expect({ status, text }).toStrictEqual(row.response);
});

test('the host of a target that has one counts, and not that of the Host header', async () => {
  const listener = forPrograms((message, response) => void response.end(message.url));
  const { address, close } = await listen(clientServer(listener));
  atEnd(close);
  const get = async (path: string, Host: string) =>
    (await sendRaw(`http://${address}`, { path, headers: { Host } })).text;
  expect(await get('http://localhost/a?b=http://c', 'evil.example')).toBe('/a?b=http://c');
  expect(await get('HTTPS://localhost?b', 'evil.example')).toBe('/?b');
  expect(await get('http://evil.example/a', 'localhost')).toBe(rejected.text);
});

test.each([
  {
    what: 'the tables',
    url: async () => {
      const { endpoint, close } = await startDynalite();
      atEnd(close);
      return endpoint;
    },
  },
  {
    what: 'the Runtime API',
    url: async () => {
      const { address, close } = await startRuntimeApi();
      atEnd(() => close(new Error('closed')));
      return `http://${address}`;
    },
  },
  {
    what: 'the description or the cache',
    url: () => serve(operatorsApi({ stageName: 'staging' } as RestApi, {} as never)),
  },
])('no web page may use $what, nor ask whether it may', async ({ url }) => {
  const origin = await url();
  for (const method of ['OPTIONS', 'POST']) {
    const headers = { Origin: 'http://evil.example' };
    const response = await sendRaw(origin, { method, path: '/petstore-local-run', headers });
    const names = Object.keys(response.headers).filter((name) => /^access-control-/.test(name));
    expect([response.status, response.text, names]).toStrictEqual([403, rejected.text, []]);
  }
});
