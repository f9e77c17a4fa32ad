import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { descriptionPath } from '../../../local/gateway/operators-api.ts';
import { serve } from '../../support/http/serve.ts';
import { fakeAws } from '../../support/ops/fake-aws.ts';
import { keysStage, onLocal, onProd } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';

const stage = keysStage();

/** Writes a configuration of AWS with a profile. Returns the environment that uses it. */
const profileWith = (setting: string) => {
  const AWS_CONFIG_FILE = join(process.env.TEST_RUN_DIRECTORY ?? '', `${randomUUID()}.config`);
  writeFileSync(AWS_CONFIG_FILE, `[default]\n${setting}\n`);
  return { AWS_CONFIG_FILE };
};

test('a local run is found by its port', async () => {
  expect(await stage.local(['list', '--json'])).toStrictEqual({
    code: 0,
    output: '[]\n',
    errors: onLocal,
  });
});

test.each([
  {
    options: ['--json'],
    error: `choose --stage ${stageNames.join(', --stage ')} or --local`,
  },
  {
    options: ['--local', '--stage', 'prod'],
    error: "option '--local' cannot be used with option '--stage <stage>'",
  },
  {
    options: ['--stage', 'nowhere'],
    error: `option '--stage <stage>' argument 'nowhere' is invalid. Allowed choices are ${stageNames.join(', ')}.`,
  },
  ...['', 'abc', '65536', '0x10'].map((port) => ({
    options: ['--local', '--port', port],
    error: `option '--port <port>' argument '${port}' is invalid. A port is an integer from 0 to 65535.`,
  })),
])('keys list $options is wrong usage', async ({ options, error }) => {
  expect(await petstore(['keys', 'list', ...options])).toStrictEqual({
    code: 2,
    output: '',
    errors: `error: ${error}\n(for usage, add --help)\n`,
  });
});

/** What may listen on a port without being a local run. */
const others: { what: string; listener: RequestListener }[] = [
  {
    what: 'a site that answers every path with a page',
    listener: (_request, response) => response.end('<!doctype html><p>Hi'),
  },
  { what: 'JSON null', listener: (_request, response) => response.end('null') },
  {
    what: 'an API without such a path',
    listener: (_request, response) => response.writeHead(404).end('{"message":"Not found"}'),
  },
  { what: 'one that hangs up', listener: (_request, response) => response.destroy() },
];

test.each(others)('$what is no local run, and gets nothing else', async ({ listener }) => {
  const requests: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    requests.push(request.url);
    listener(request, response);
  });
  const { port } = new URL(origin);
  expect(await petstore(['keys', 'list', '--local', '--port', port])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `petstore: There is no local run on port ${port}. ` +
      `Start one: npx --no -- petstore start ${port}\n`,
  });
  expect(requests).toStrictEqual([descriptionPath]);
});

test('a program that accepts connections and never answers is waited for five seconds', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const { port } = new URL(await serve(() => {}));
  const { errors } = await petstore(['keys', 'list', '--local', '--port', port]);
  expect(errors).toMatch(/^petstore: There is no local run on port/);
  expect(timeout.mock.calls).toStrictEqual([[5_000]]);
  timeout.mockRestore();
});

const name = 'staging-petstore-inventory';

test.each([
  {
    what: 'a stack that is not there',
    aws: () => fakeAws({}),
    errors:
      `petstore: There is no stack ${name} in us-east-1 in this account.\n` +
      'If it is elsewhere, set AWS_REGION or AWS_PROFILE; otherwise deploy it (docs/deploy.md).\n',
  },
  {
    what: 'a stack that was never complete',
    aws: () =>
      fakeAws({ [name]: { status: 'CREATE_FAILED', outputs: { InventoryTableName: 'x' } } }),
    errors:
      `petstore: ${name} has no output ApiKeysTableName; its status is CREATE_FAILED. ` +
      'docs/deploy.md#when-a-deployment-fails says what to do.\n',
  },
  {
    what: 'a look at the stack that AWS denies',
    aws: () => fakeAws({}, 'User: x may not'),
    errors:
      'petstore: User: x may not\n' +
      'docs/settings.md#permissions has the policy that operators need.\n',
  },
])('a command says what to do about $what', async ({ aws, errors }) => {
  const { environment: env } = await aws();
  expect(await petstore(['keys', 'list', '--stage', 'staging'], { env })).toStrictEqual({
    code: 1,
    output: '',
    errors,
  });
});

test.each<{ what: string; names: Record<string, string> }>([
  { what: 'AWS_REGION', names: { AWS_REGION: 'eu-north-1', AWS_DEFAULT_REGION: 'eu-south-1' } },
  { what: 'AWS_DEFAULT_REGION', names: { AWS_DEFAULT_REGION: 'eu-north-1' } },
  {
    what: 'AWS_DEFAULT_REGION if AWS_REGION is empty',
    names: { AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-north-1' },
  },
])('the region is that of $what, whatever the profile says', async ({ names }) => {
  const { environment } = await fakeAws({});
  const { AWS_REGION: _, ...others } = environment;
  const env = { ...others, ...profileWith('region = us-west-2'), ...names };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  expect(errors).toMatch(/^petstore: There is no stack \S+ in eu-north-1 /);
});

test('the region is that of the profile if the environment names none', async () => {
  const { environment } = await fakeAws({});
  const { AWS_REGION: _, ...others } = environment;
  const env = { ...others, ...profileWith('region = us-west-2') };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  expect(errors).toMatch(/^petstore: There is no stack \S+ in us-west-2 /);
});

test('a command says what to do about a table that has gone', async () => {
  const body = { __type: 'x#ResourceNotFoundException', message: 'Requested resource not found' };
  stage.react = async () => ({ status: 400, body });
  expect(await stage.prod(['list'])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onProd}petstore: Requested resource not found\n` +
      'The table does not exist. Check AWS_REGION and AWS_PROFILE. If it was deleted, deploy nothing: see docs/runbook.md#a-table-was-deleted\n',
  });
});
