import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';
import { sendRaw } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';
import { resourcesOf, type Template, templates } from '../support/synthesized.ts';

interface Exchange {
  method: string;
  path: string;
  authorization: string;
  status: number;
  text: string;
}

describe('npm run acceptance', () => {
  let run: LocalRun;
  let baseUrl: string;
  /** What went through the proxy that stands before the run, and how it bends the answers. */
  let exchanges: Exchange[] = [];
  let bend = ({ text }: Exchange) => text;
  const header = (message: IncomingMessage, name: string) => message.headers[name] as string | undefined;
  const proxy = createServer(async (message, response) => {
    const { method = '', url: path = '' } = message;
    const headers = Object.entries(message.headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    );
    const sent = await buffer(message);
    const body = header(message, 'content-length') === undefined ? undefined : sent;
    const answer = await sendRaw(new URL(run.baseUrl).origin, {
      method,
      path,
      headers: Object.fromEntries(headers) as Record<string, string>,
      body,
    });
    const authorization = header(message, 'authorization') ?? '';
    const exchange = { method, path, authorization, status: answer.status, text: answer.text };
    exchanges.push(exchange);
    for (const name of ['content-type', 'www-authenticate', 'allow']) {
      response.setHeader(name, answer.headers[name] ?? []);
    }
    response.writeHead(answer.status).end(bend(exchange));
  });
  beforeAll(async () => {
    run = await localRun();
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    baseUrl = run.baseUrl.replace(/:\d+/, `:${(proxy.address() as AddressInfo).port}`);
  });
  afterAll(() => void proxy.close());
  beforeEach(() => {
    exchanges = [];
    bend = ({ text }) => text;
  });

  const list = async () => new Set((await run.send({ path: '/inventory' })).text.slice(1, -1).split(/(?<=}),/));
  const acceptance = async (...options: string[]) => {
    const before = await list();
    const ended = await runCommand('acceptance', ['--base-url', baseUrl, '--api-key', run.apiKey, ...options]);
    expect(await list()).toEqual(before);
    expect(ended.output + ended.errors).not.toContain(run.apiKey);
    return ended;
  };

  test('says what it checked of a service that keeps the contract, and leaves the data as it was', async () => {
    const { code, output, errors } = await acceptance();

    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain('✓ takes the quantity 9007199254740991');
    expect(output).not.toMatch(/skipped|✕/);
    expect(output).toMatch(new RegExp(`^acceptance: ${baseUrl} keeps the contract\\.\n$`, 'm'));
    expect(exchanges.some(({ method, status }) => method === 'PATCH' && status === 200)).toBe(true);
  });

  test('sends nothing with --read-only that a service would apply', async () => {
    const { code, output } = await acceptance('--base-url', `${baseUrl}/`, '--read-only');

    expect(code).toBe(0);
    expect(output).toContain('○ skipped takes the quantity 9007199254740991');
    expect(output).toContain('✓ refuses the body {"quantity":"7"}');
    const petIds = [...(await list())].map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1] ?? '');
    const patched = exchanges
      .filter(({ method }) => method === 'PATCH')
      .map(({ path }) => path.split('/').at(-1) ?? '');
    expect(petIds).toHaveLength(7);
    expect(patched.length).toBeGreaterThan(50);
    expect(petIds.filter((petId) => patched.includes(petId))).toEqual([]);

    // Five runs a minute from one address, and the firewall of prod still lets all of them through.
    const rules = JSON.stringify(resourcesOf(templates.prod as Template, 'AWS::WAFv2::WebACL'));
    const limit = Number(/"Limit":(\d+),"ScopeDownStatement":\{"NotStatement"/.exec(rules)?.[1]);
    const withoutKey = exchanges.filter(
      ({ authorization }) => !/^bearer +petstore_[a-z]+_[0-9a-f]{48}$/i.test(authorization),
    );
    expect(withoutKey.length).toBeGreaterThan(20);
    expect(5 * withoutKey.length).toBeLessThanOrEqual(limit);
  });

  test('says where a service differs, and leaves the data as it was then too', async () => {
    bend = ({ method, status, text }) =>
      method === 'PATCH' && status === 200 ? text.replace('{', '{"extra":1,') : text;
    const { code, output } = await acceptance();

    expect(code).toBe(1);
    expect(output).toContain('✕ takes the quantity 0');
    expect(output).toContain('must NOT have additional properties');
    expect(output).toContain('✓ refuses the body []');
    expect(output).toMatch(/^acceptance: .* differs from the contract where it says ✕\.\n$/m);
  });

  test('keeps the key to itself, though the service repeats it', async () => {
    bend = ({ status, authorization, text }) => (status === 404 ? JSON.stringify({ authorization }) : text);
    const { code, output } = await acceptance('--read-only');

    expect(code).toBe(1);
    expect(output).toContain('Bearer <API_KEY>');
  });

  test.each([
    [[], '--base-url must be an http or https URL that ends in /v1, not "".'],
    [
      ['--base-url', 'https://pets.example/prod'],
      '--base-url must be an http or https URL that ends in /v1, not "https://pets.example/prod".',
    ],
    [
      ['--base-url', 'https://pets.example/v1'],
      'an API key is needed: --api-key KEY, or the environment variable ACCEPTANCE_API_KEY.',
    ],
    [
      ['--base-url', 'http://127.0.0.1:59/v1', '--api-key', 'x'],
      'no answer from http://127.0.0.1:59/v1/inventory: connect ECONNREFUSED 127.0.0.1:59',
    ],
    [
      ['--base-url', 'https://pets.invalid/v1', '--api-key', 'x'],
      'no answer from https://pets.invalid/v1/inventory: getaddrinfo ENOTFOUND pets.invalid',
    ],
    [['--nonsense'], "Unknown option '--nonsense'. See npm run acceptance -- --help."],
  ])('refuses %j in one line', async (options, reason) => {
    expect(await runCommand('acceptance', options)).toEqual({ code: 1, output: '', errors: `acceptance: ${reason}\n` });
  });

  test('refuses a key that the stage refuses, in one line', async () => {
    const environment = { ACCEPTANCE_API_KEY: 'petstore_staging_of_another_time' };
    const { code, output, errors } = await runCommand('acceptance', ['--base-url', baseUrl], environment);

    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toBe(`acceptance: ${baseUrl} refuses the API key (401). Is it a key of this stage?\n`);
  });

  test('refuses what is no inventory at all, in one line', async () => {
    const elsewhere = baseUrl.replace('/staging/', '/prod/');
    const options = ['--base-url', elsewhere, '--api-key', run.apiKey];
    const { code, errors } = await runCommand('acceptance', options);

    expect(code).toBe(1);
    expect(errors).toBe(`acceptance: GET ${elsewhere}/inventory answered 403, not 200: {"message":"Forbidden"}\n`);
  });
});
