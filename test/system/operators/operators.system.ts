import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { apiKeyPattern } from '../../../functions/keys/api-key.ts';
import { open } from '../../../ops/acceptance/suite/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { localRun, temporaryDirectory } from '../../support/local/local-run.ts';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { ops } from '../../support/ops/ops.ts';
import { ctrlC, onTerminal } from '../../support/process/terminal.ts';
import { ended, project } from '../../support/process/tools.ts';

const run = await localRun();
const aws = await awsAround(run);

afterEach(() => void jest.useRealTimers());

/** Serves the local run behind a proxy. Returns its base URL and the requests that it passes on. */
const recorded = async (onRequest = (_request: IncomingMessage) => {}) => {
  const sent: IncomingMessage[] = [];
  const { origin, pathname } = new URL(run.baseUrl);
  const proxy = await serve(async (request, response) => {
    sent.push(request);
    onRequest(request);
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    const message = { method, path, headers: headers as Record<string, string> };
    const received = await open(origin, { ...message, ...(body.length > 0 && { body }) });
    response.writeHead(received.statusCode ?? 0, received.headers);
    received.pipe(response);
  });
  return { baseUrl: proxy + pathname, sent };
};

/** Returns the checks that failed. */
const failedIn = (printed: string): string[] => printed.match(/^ +✕ .*$/gm) ?? [];

/** Runs `petstore acceptance …`, and returns the checks that failed, too. */
const acceptance = async (options: string[]) => {
  const result = await ops(['acceptance', ...options]);
  return { ...result, failed: failedIn(result.errors) };
};

const withKey = (baseUrl: string) => ['--base-url', baseUrl, '--api-key', run.apiKey];

/** Returns the entries of the local run as it lists them, sorted. */
const entries = async (): Promise<string[]> => {
  const { text } = await run.send({ path: '/inventory' });
  return text
    .slice(1, -1)
    .split(/(?<=}),/)
    .toSorted();
};

test('acceptance finds the local run right, and after Ctrl-C goes on to its end', async () => {
  const before = await entries();
  let interrupt = () => {};
  const { baseUrl } = await recorded(({ method }) => {
    if (method === 'PATCH') {
      interrupt();
    }
  });
  const bin = join(project, 'ops/petstore.cjs');
  const child = onTerminal([process.execPath, bin, 'acceptance', ...withKey(baseUrl)], {
    env: { ...process.env, TMPDIR: temporaryDirectory, TERM: 'dumb' },
  });
  interrupt = () => {
    child.stdin.write(ctrlC);
    // A second Ctrl-C would end the command.
    interrupt = () => {};
  };
  const { code, output } = await ended(child);
  expect({ code, failed: failedIn(output) }).toEqual({ code: 0, failed: [] });
  expect(output).toMatch(/The checks go on to their end, so that all quantities are restored\.$/m);
  expect(output).toMatch(/ ✓ sets the quantity of the smallest petId/);
  // Titles have no placeholder that Jest could not fill in.
  expect(output).not.toMatch(/\$\w|skipped/);
  expect(output).toMatch(`\n${baseUrl} keeps the contract.\r\n`);
  expect(await entries()).toEqual(before);
});

describe('acceptance --read-only', () => {
  let before: string[];
  let sent: IncomingMessage[];

  beforeAll(async () => {
    before = await entries();
    const service = await recorded();
    const { errors, ...result } = await acceptance([...withKey(service.baseUrl), '--read-only']);
    const extent = ', as far as read-only requests can tell';
    const output = `${service.baseUrl} keeps the contract${extent}.\n`;
    expect(result).toEqual({ code: 0, output, failed: [] });
    sent = service.sent;
  }, 60_000);

  test('changes nothing', async () => {
    expect(await entries()).toEqual(before);
  });

  test('updates no existing entry, even wrongly', () => {
    const petIds = before.map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1]);
    const updated = sent
      .filter(({ method }) => method === 'PATCH')
      .map(({ url }) => url?.split('/').at(-1));
    expect(updated.length).toBeGreaterThan(20);
    expect(updated.filter((petId) => petIds.includes(petId))).toEqual([]);
  });

  test('requests one list to test the key, and one to read, compressed', () => {
    const encodings = sent
      .filter(({ method, url }) => method === 'GET' && /\/v1\/inventory\/?(\?|$)/.test(url ?? ''))
      // All others are rejected, because their key is wrong.
      .filter(({ headers }) => headers.authorization?.endsWith(run.apiKey))
      // toEqual() would overlook an undefined one at the end.
      .map(({ headers }) => headers['accept-encoding'] ?? 'none');
    expect(encodings).toEqual(['gzip, deflate', 'gzip']);
  });

  test('can be repeated five times a minute before the firewall blocks the address', () => {
    const isWellFormed = new RegExp(`^bearer +${apiKeyPattern('staging')}$`, 'i');
    const withoutKey = sent.filter(
      ({ headers }) => !isWellFormed.test(headers.authorization ?? ''),
    );
    expect(withoutKey.length).toBeGreaterThan(50);
    // What prod accepts in a minute, as test/infra/settings/stages.test.ts shows.
    expect(5 * withoutKey.length).toBeLessThanOrEqual(500);
  });
});

test('a service that differs from the contract fails acceptance, and its key is not printed', async () => {
  const url = await serve((_request, response) =>
    response.end(`["\u001b[2J", "Bearer ${run.apiKey}"]`),
  );
  const baseUrl = `${url}/staging/v1`;
  const { code, output, errors } = await acceptance([...withKey(baseUrl), '--read-only']);
  expect({ code, output }).toEqual({ code: 8, output: '' });
  expect(errors).toMatch(/ ✕ lists each petId once, as an int64/);
  expect(errors).toMatch(`petstore: ${baseUrl} differs from the contract.\n`);
  expect(errors).not.toContain(run.apiKey);
  expect(errors).not.toContain('\u001b');
});

/** The local run as such, and as a stage that is deployed in AWS. */
const targets = [{ target: '--local' }, { target: '--stage staging' }];

test.each(targets)('inventory export $target has what the service lists', async ({ target }) => {
  const items = (text: string) => text.match(/\{.*?\}/g)?.sort();
  const listed = await run.send({ path: '/inventory' });
  const exported = await ops(['inventory', 'export', '--json', ...target.split(' ')], {
    env: aws.environment,
  });
  expect(items(exported.output)).toEqual(items(listed.text));
});

const statusFor = async (key: string) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await run.send({ path: '/inventory', headers })).status;
};

test.each(targets)(
  'a key issued with $target works until revoked with --now',
  async ({ target }) => {
    const env = aws.environment;
    const issued = await ops(['keys', 'create', '--name', 'shop', '--json', ...target.split(' ')], {
      env,
    });
    const { id, key } = JSON.parse(issued.output);
    expect(await statusFor(key)).toBe(200);

    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
    const untilChecksEnd = 10_000;
    const revoked = await ops(['keys', 'revoke', id, '--now', ...target.split(' ')], {
      env,
      when: { printed: /once more/, react: () => jest.advanceTimersByTime(untilChecksEnd) },
    });
    jest.useRealTimers();
    expect(revoked.output).toMatch(/ and has stopped working\.\n$/);
    expect(await statusFor(key)).toBe(401);
  },
);
