// Who can reach the servers of a local run: programs on this machine, and no page in a browser.
import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { operatorsApi } from '../../../local/gateway/operators-api.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { forPrograms, listen } from '../../../local/shared/local-server.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

test('a server listens where no other machine can connect, and tells where', async () => {
  const server = createServer();
  const { port, address, close } = await listen(server);
  atEnd(close);
  expect(server.address()).toStrictEqual({ address: '127.0.0.1', family: 'IPv4', port });
  expect(address).toBe(`127.0.0.1:${port}`);
});

const listener: RequestListener = (_message, response) => void response.end('reached');
const forClients = await serve(clientServer(listener));
const onlyForPrograms = await serve(forPrograms(listener));

/** Returns what a request gets, and what is logged of it. */
const outcomeOf = async (url: string, headers: Record<string, string>) => {
  const { status, text } = await sendRaw(url, { path: '/', headers });
  return { status, text, log: printed.mock.calls.flat() };
};
const reached = { status: 200, text: 'reached', log: [] };
const refused = (message: string) => ({
  status: 403,
  text: JSON.stringify({ code: 'forbidden', message, status: 403 }),
  log: [`403: ${message}`],
});
const rejected = refused('Only programs on this machine may use this.');

test.each([
  'LOCALHOST:80',
  '127.0.0.1',
  '[::1]:3000',
  'shop.localhost:3000',
  '127.0.1.1:3000',
  'host.docker.internal:3000',
])('this machine is %s', async (Host) => {
  expect(await outcomeOf(forClients, { Host })).toStrictEqual(reached);
  expect(await outcomeOf(onlyForPrograms, { Host })).toStrictEqual(reached);
});

test.each([
  '128.0.0.1',
  'evil-localhost',
  'docker.internal',
  'localhost.evil.example',
  '127.0.0.1.evil.example:80',
  'evil.example:127.0.0.1',
])('this machine is not %s, which a web page may be', async (Host) => {
  const message =
    `The Host "${Host}" is refused: this run answers only to localhost, *.localhost, 127.x, ` +
    '[::1] and host.docker.internal.';
  expect(await outcomeOf(forClients, { Host })).toStrictEqual(refused(message));
  printed.mockClear();
  expect(await outcomeOf(onlyForPrograms, { Host })).toStrictEqual(refused(message));
});

test.each<[Record<string, string>]>([[{ Origin: 'null' }], [{ 'Sec-Fetch-Site': 'none' }]])(
  'a web page, whose browser adds %j, may be a client, but no program',
  async (headers) => {
    expect(await outcomeOf(forClients, headers)).toStrictEqual(reached);
    expect(await outcomeOf(onlyForPrograms, headers)).toStrictEqual(rejected);
  },
);

const startTables = async () => {
  const { endpoint, close } = await startDynalite();
  atEnd(close);
  return endpoint;
};
const startRuntime = async () => {
  const { address, close } = await startRuntimeApi();
  atEnd(() => close(new Error('closed')));
  return `http://${address}`;
};
test.each([
  { what: 'the tables', start: startTables },
  { what: 'the Runtime API', start: startRuntime },
  { what: 'the description', start: () => serve(operatorsApi({} as never)) },
])('no web page may use $what, nor ask whether it may', async ({ start }) => {
  const origin = await start();
  for (const method of ['OPTIONS', 'POST']) {
    const headers = { Origin: 'http://evil.example' };
    const response = await sendRaw(origin, { method, path: '/petstore-local-run', headers });
    const names = Object.keys(response.headers).filter((name) => /^access-control-/.test(name));
    expect([response.status, response.text, names]).toStrictEqual([403, rejected.text, []]);
  }
});
