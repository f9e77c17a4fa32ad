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

type Response = { status: number; text: string };

const reached: Response = { status: 200, text: 'reached' };
const refused = (message: string): Response => ({
  status: 403,
  text: JSON.stringify({ code: 'forbidden', message, status: 403 }),
});
const rejected = refused('Only programs on this machine may use this.');
const elsewhere = (host: string) =>
  refused(
    `The Host "${host}" is refused: this run answers only to localhost, *.localhost, 127.x, [::1] ` +
      'and host.docker.internal.',
  );
/** The line of the log of a refusal. */
const lineOf = ({ text }: { text: string }): string => `403: ${JSON.parse(text).message}`;

test.each<{ headers: Record<string, string>; response: Response; toClients?: Response }>([
  { headers: { Host: 'LOCALHOST:80' }, response: reached },
  { headers: { Host: '127.0.0.1' }, response: reached },
  { headers: { Host: '[::1]:3000' }, response: reached },
  { headers: { Host: 'shop.localhost:3000' }, response: reached },
  { headers: { Host: '127.0.1.1:3000' }, response: reached },
  { headers: { Host: 'host.docker.internal:3000' }, response: reached },
  { headers: { Host: '128.0.0.1' }, response: elsewhere('128.0.0.1') },
  { headers: { Host: 'evil-localhost' }, response: elsewhere('evil-localhost') },
  { headers: { Host: 'docker.internal' }, response: elsewhere('docker.internal') },
  { headers: { Host: 'localhost.evil.example' }, response: elsewhere('localhost.evil.example') },
  {
    headers: { Host: '127.0.0.1.evil.example:80' },
    response: elsewhere('127.0.0.1.evil.example:80'),
  },
  { headers: { Host: 'evil.example:127.0.0.1' }, response: elsewhere('evil.example:127.0.0.1') },
  { headers: { Origin: 'null' }, response: rejected, toClients: reached },
  { headers: { 'Sec-Fetch-Site': 'none' }, response: rejected, toClients: reached },
])(
  'what is for programs, and what is for clients, with $headers: $response.status',
  async (row) => {
    const { headers, response, toClients = response } = row;
    const listener: RequestListener = (_message, answer) => void answer.end('reached');
    const get = async (url: string) => {
      const { status, text } = await sendRaw(url, { path: '/', headers });
      return { status, text };
    };
    expect(await get(await serve(forPrograms(listener)))).toStrictEqual(response);
    const { address, close } = await listen(clientServer(listener));
    atEnd(close);
    expect(await get(`http://${address}`)).toStrictEqual(toClients);
    const refusals = [response, toClients].filter(({ status }) => status === 403);
    expect(printed.mock.calls.flat()).toStrictEqual(refusals.map(lineOf));
  },
);

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
    what: 'the description',
    url: () => serve(operatorsApi({} as never)),
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
