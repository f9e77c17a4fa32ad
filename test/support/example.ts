import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { open } from './http-client.ts';
import { type LocalRun, localRun } from './local-run.ts';
import { ended } from './tools.ts';

/** A program that sets the quantity of a pet: it takes PET_ID and QUANTITY, and prints the updated entry. */
export type Program = [command: string, ...args: string[]];

/** What the proxy does with a request: sends an error, or a list without its last bytes, cut or ended cleanly. */
type Fault = { status: number; retryAfter?: string } | 'cut' | 'unfinished';

const petIds = [-9223372036854775808n, 9007199254740993n, 9223372036854775807n];
/** What a client that rounds would change instead of 9007199254740993. */
const decoy = { petId: { N: '9007199254740992' }, quantity: { N: '3' }, status: { S: 'sold' } };

/** A proxy that passes requests on to the service, except for the given faults, the first of each method first. */
const startProxy = async (baseUrl: string) => {
  const faults: Record<string, Fault[]> = {};
  const requests: { method: string; at: number }[] = [];
  const server: Server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, at: performance.now() });
    const body = await buffer(request);
    const fault = faults[method]?.shift();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.retryAfter ? { 'Retry-After': fault.retryAfter } : {}).end('{}');
      return;
    }
    const { authorization = '', 'content-type': type = '', 'accept-encoding': encoding = '' } = headers;
    const accepted = fault ? 'identity' : encoding;
    const passed = { Authorization: authorization, 'Content-Type': type, 'Accept-Encoding': String(accepted) };
    const served = await open(new URL(baseUrl).origin, { method, path, headers: passed, body });
    const bytes = await buffer(served);
    const { 'content-encoding': coding } = served.headers;
    response.writeHead(served.statusCode ?? 0, {
      'Content-Type': 'application/json',
      ...(coding && { 'Content-Encoding': coding }),
    });
    if (fault === 'cut') {
      response.write(bytes.subarray(0, -10), () => response.destroy());
    } else {
      response.end(fault === 'unfinished' ? bytes.subarray(0, -1) : bytes);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { faults, requests, server, baseUrl: `http://127.0.0.1:${port}${new URL(baseUrl).pathname}` };
};

/** What one test file needs to run such a program: call it within a describe. */
const useProgram = (prepare: () => Promise<Program>) => {
  let program: Program;
  let run: LocalRun;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    program = await prepare();
    run = await localRun();
    await run.tables.client.send(new PutItemCommand({ TableName: run.tables.inventory, Item: decoy }));
  });
  afterAll(() => run?.stop());
  beforeEach(async () => {
    proxy = await startProxy(run.baseUrl);
  });
  afterEach(() => {
    proxy?.server.close();
  });
  return {
    proxy: () => proxy,
    setQuantity: async (petId: bigint, quantity: number) => {
      const [command, ...args] = program;
      const env = { PETSTORE_BASE_URL: proxy.baseUrl, PETSTORE_API_KEY: run.apiKey };
      const end = await ended(command, [...args, String(petId), String(quantity)], env);
      return { ...end, methods: proxy.requests.map(({ method }) => method) };
    },
    quantities: async () => {
      const { body } = await run.send({ path: '/inventory' });
      return new Map((body as { petId: bigint; quantity: bigint }[]).map((entry) => [entry.petId, entry.quantity]));
    },
  };
};

type Used = ReturnType<typeof useProgram>;

const testExactness = ({ setQuantity, quantities }: Used) =>
  test.each(petIds)('changes %s and nothing else', async (petId) => {
    const before = await quantities();
    expect(before.get(9007199254740992n)).toBe(3n);
    const quantity = Number(before.get(petId)) + 1;
    const { code, output, errors } = await setQuantity(petId, quantity);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(new RegExp(`"petId": ?${petId},`));
    expect(await quantities()).toEqual(before.set(petId, BigInt(quantity)));
  });

/** Tests that a program changes the right entry. */
export const testGeneratedClient = (name: string, prepare: () => Promise<Program>): void =>
  describe(name, () => testExactness(useProgram(prepare)));

/** Tests that a program changes the right entry, waits before it tries again, and uses no part of a list that was cut off. */
export const testExample = (name: string, prepare: () => Promise<Program>): void =>
  describe(name, () => {
    const used = useProgram(prepare);
    testExactness(used);

    test('tries again after the seconds in Retry-After, and after a pause without it', async () => {
      const { faults, requests } = used.proxy();
      faults.GET = [{ status: 503, retryAfter: '2' }];
      faults.PATCH = [{ status: 429, retryAfter: '1' }, { status: 502 }];
      const { code, methods } = await used.setQuantity(1n, 5);
      expect({ code, methods }).toEqual({ code: 0, methods: ['GET', 'GET', 'PATCH', 'PATCH', 'PATCH'] });
      const at = requests.map((request) => request.at);
      expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
      expect((at[3] ?? 0) - (at[2] ?? 0)).toBeGreaterThanOrEqual(990);
    });

    test.each(['cut', 'unfinished'] as const)('uses no part of a list that is %s', async (fault) => {
      used.proxy().faults.GET = [fault];
      const { code, output, methods } = await used.setQuantity(1n, 6);
      // It lists again, or fails.
      expect(methods).toEqual(code === 0 ? ['GET', 'GET', 'PATCH'] : ['GET']);
      expect(output !== '').toBe(code === 0);
    });

    test('does not repeat what is rejected', async () => {
      const { code, errors, methods } = await used.setQuantity(1n, -1);
      expect(code).not.toBe(0);
      expect(errors).toContain('400');
      expect(methods).toEqual(['GET', 'PATCH']);
    });
  });
