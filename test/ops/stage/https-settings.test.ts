import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { checkStage } from '../../../ops/stage/check-stage.ts';
import { httpsSettings } from '../../../ops/stage/https-settings.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { fakeAws } from '../../support/ops/fake-aws.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { atEnd } from '../../support/process/at-end.ts';

/** Starts a proxy that refuses every tunnel. Returns its URL, and to where it was asked for one. */
const refusingProxy = async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
};

/** Settings that let nothing but this proxy be used. */
const through = (url: string) => ({
  HTTPS_PROXY: url,
  https_proxy: '',
  NO_PROXY: '',
  no_proxy: '',
});

const inherited = { ...process.env };
afterEach(() => {
  process.env = { ...inherited };
});

const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y', AWS_REGION: 'eu-west-1' };

/** Runs a command that begins with calls of AWS. */
const listKeys = (env: Record<string, string>) =>
  petstore(['keys', 'list', '--stage', 'staging'], { env });

test('a command reaches AWS through HTTPS_PROXY', async () => {
  const { url, asked } = await refusingProxy();
  const { errors } = await listKeys({ ...credentials, ...through(url) });
  expect(errors).toContain('Failed to establish tunnel to cloudformation.eu-west-1.amazonaws.com');
  expect(new Set(asked)).toStrictEqual(new Set(['cloudformation.eu-west-1.amazonaws.com:443']));
});

test.each([
  'http://ann:s%cret@127.0.0.1:1',
  'http://ann:s3cret@127.0.0.1:99999',
  'ann:s3cret@127.0.0.1:1',
  'socks5://ann:s3cret@127.0.0.1:1',
])('an HTTPS_PROXY that Node cannot read is a sentence, without its password: %s', async (url) => {
  const { code, errors } = await listKeys({ ...credentials, ...through(url) });
  expect({ code, errors }).toStrictEqual({
    code: 1,
    errors:
      'petstore: HTTPS_PROXY is not the URL of a proxy, such as http://proxy.example:3128. ' +
      'In a password, write %25 for %.\n',
  });
});

test('certificates that cannot be read are named by their variable', async () => {
  const { code, errors } = await listKeys({ ...credentials, AWS_CA_BUNDLE: 'nowhere.pem' });
  expect({ code, errors }).toStrictEqual({
    code: 1,
    errors:
      'petstore: AWS_CA_BUNDLE, or ca_bundle of the profile: ENOENT: no such file or directory, ' +
      "open 'nowhere.pem'.\n",
  });
});

test('what provides credentials goes through HTTPS_PROXY', async () => {
  const { url, asked } = await refusingProxy();
  const AWS_CONFIG_FILE = join(process.env.TEST_RUN_DIRECTORY ?? '', randomUUID());
  writeFileSync(
    AWS_CONFIG_FILE,
    '[profile base]\naws_access_key_id = x\naws_secret_access_key = y\n' +
      '[profile ann]\nrole_arn = arn:aws:iam::111122223333:role/ops\nsource_profile = base\n',
  );
  const profile = { AWS_CONFIG_FILE, AWS_PROFILE: 'ann', AWS_REGION: 'eu-west-1' };
  await listKeys({ ...profile, ...through(url) });
  expect(new Set(asked)).toStrictEqual(new Set(['sts.eu-west-1.amazonaws.com:443']));
});

test('the check before a release, and the acceptance tests, reach the stage through HTTPS_PROXY', async () => {
  const { url, asked } = await refusingProxy();
  const baseUrl = 'https://stage.invalid/v1';
  const { environment } = await fakeAws({
    'staging-petstore-inventory': { outputs: { BaseUrl: baseUrl } },
  });
  Object.assign(process.env, environment, through(url));
  const PETSTORE_API_KEY = createApiKey('staging');
  const check = checkStage('staging', { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY });
  await expect(check).rejects.toThrow(/inventory failed: Failed to establish tunnel/);
  await expect(sendRaw(baseUrl, { path: '/inventory' })).rejects.toThrow(/establish tunnel/);
  expect(asked).toStrictEqual(['stage.invalid:443', 'stage.invalid:443']);
});

test.each([
  { what: 'the environment', env: (file: string) => ({ AWS_CA_BUNDLE: file }) },
  {
    what: 'the profile',
    env: (file: string) => {
      const AWS_CONFIG_FILE = `${file}.config`;
      writeFileSync(AWS_CONFIG_FILE, `[default]\nca_bundle = ${file}\n`);
      return { AWS_CONFIG_FILE };
    },
  },
])('the certificates are those of $what', async ({ env }) => {
  const file = join(process.env.TEST_RUN_DIRECTORY ?? '', randomUUID());
  writeFileSync(file, 'certificates');
  Object.assign(process.env, env(file));
  const { ca } = await httpsSettings();
  expect(String(ca)).toBe('certificates');
});
