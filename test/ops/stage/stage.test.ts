import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { descriptionPath } from '../../../local/gateway/operators-api.ts';
import { serve } from '../../support/http/serve.ts';
import { fakeAws } from '../../support/ops/fake-aws.ts';
import { petstore } from '../../support/ops/petstore.ts';

/** Runs a command on the local run at a URL. */
const listAt = (origin: string) =>
  petstore(['keys', 'list', '--local', '--port', new URL(origin).port]);

/** What may listen on a port without being a local run. */
const others: { what: string; listener: RequestListener }[] = [
  { what: 'a site', listener: (_request, response) => response.end('<!doctype html><p>Hi') },
  { what: 'another API', listener: (_request, response) => response.end('{"message":"No"}') },
  { what: 'one that hangs up', listener: (_request, response) => response.destroy() },
];

test.each(others)('$what is no local run, and gets nothing else', async ({ listener }) => {
  const requests: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    requests.push(request.url);
    listener(request, response);
  });
  const { port } = new URL(origin);
  expect(await listAt(origin)).toStrictEqual({
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
  const { errors } = await listAt(await serve(() => {}));
  expect(errors).toMatch(/^petstore: There is no local run on port/);
  expect(timeout.mock.calls).toStrictEqual([[5_000]]);
  timeout.mockRestore();
});

const name = 'staging-petstore-inventory';

test.each([
  {
    what: 'is not there',
    stacks: {},
    errors:
      `petstore: There is no stack ${name} in us-east-1 in this account.\n` +
      'If it is elsewhere, set AWS_REGION or AWS_PROFILE; otherwise deploy it (docs/deploy.md).\n',
  },
  {
    what: 'was never complete',
    stacks: { [name]: { status: 'CREATE_FAILED', outputs: { InventoryTableName: 'x' } } },
    errors:
      `petstore: ${name} has no output ApiKeysTableName; its status is CREATE_FAILED. ` +
      'docs/deploy.md#when-a-deployment-fails says what to do.\n',
  },
])('a command says what to do about a stack that $what', async ({ stacks, errors }) => {
  const { environment: env } = await fakeAws(stacks);
  expect(await petstore(['keys', 'list', '--stage', 'staging'], { env })).toStrictEqual({
    code: 1,
    output: '',
    errors,
  });
});

test('a stack at which a command may not look is not taken for one that is not there', async () => {
  const denied =
    '<ErrorResponse><Error><Code>AccessDenied</Code><Message>x may not</Message></Error></ErrorResponse>';
  const AWS_ENDPOINT_URL = await serve((_request, response) => response.writeHead(403).end(denied));
  const env = { ...(await fakeAws({})).environment, AWS_ENDPOINT_URL };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  expect(errors).toBe(
    'petstore: x may not\ndocs/settings.md#permissions has the policy that operators need.\n',
  );
});

/** Writes a configuration of AWS whose profile has a region. Returns its path. */
const profileIn = (region: string): string => {
  const file = join(process.env.TEST_RUN_DIRECTORY ?? '', `${randomUUID()}.config`);
  writeFileSync(file, `[default]\nregion = ${region}\n`);
  return file;
};

test.each<{ region: string; names: Record<string, string> }>([
  { region: 'eu-north-1', names: { AWS_REGION: 'eu-north-1', AWS_DEFAULT_REGION: 'eu-west-1' } },
  { region: 'eu-west-1', names: { AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-1' } },
  { region: 'us-west-2', names: {} },
])('the region is that of the environment, or of the profile: $names', async (row) => {
  const { AWS_REGION: _, ...environment } = (await fakeAws({})).environment;
  const env = { ...environment, AWS_CONFIG_FILE: profileIn('us-west-2'), ...row.names };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  expect(errors).toContain(`There is no stack ${name} in ${row.region} `);
});
