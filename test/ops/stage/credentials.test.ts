import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { serve } from '../../support/http/serve.ts';
import { fakeAws } from '../../support/ops/fake-aws.ts';
import { petstore } from '../../support/ops/petstore.ts';

/** Writes a file of the configuration. Returns its path. */
const saved = (contents: string): string => {
  const path = join(process.env.TEST_RUN_DIRECTORY ?? '', randomUUID());
  writeFileSync(path, contents);
  return path;
};

/** An account in which nothing is deployed, without credentials but for those of this configuration. */
const accountWith = async (config: string, profile?: string): Promise<Record<string, string>> => {
  const { environment } = await fakeAws({});
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...others } = environment;
  return {
    ...others,
    AWS_CONFIG_FILE: saved(config),
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(profile && { AWS_PROFILE: profile }),
  };
};

/** What a command says once it has credentials. */
const signedIn = 'petstore: There is no stack staging-petstore-inventory in us-east-1';

const base = '[profile base]\naws_access_key_id = x\naws_secret_access_key = y\n';
const role =
  '[profile ann]\nrole_arn = arn:aws:iam::111122223333:role/ops\nsource_profile = base\n' +
  'mfa_serial = arn:aws:iam::111122223333:mfa/ann\n';

test.each([
  {
    what: 'there is nothing at all',
    config: '',
    says:
      'There are no credentials of AWS: neither the environment nor the default profile has any. ' +
      'Set AWS_PROFILE, or sign in.',
  },
  {
    what: 'the profile is not in the configuration',
    config: base,
    profile: 'bse',
    says:
      'The profile "bse" gives no credentials: Could not resolve credentials using profile: ' +
      '[bse] in configuration/credentials file(s).',
  },
  {
    what: 'its program fails',
    config: `[profile ann]\ncredential_process = sh -c 'echo The card is locked. >&2; exit 1'\n`,
    profile: 'ann',
    says:
      'The profile "ann" gives no credentials: Command failed: ' +
      "sh -c 'echo The card is locked. >&2; exit 1'\nThe card is locked.",
  },
  {
    what: 'its program prints something else',
    config: '[profile ann]\ncredential_process = echo Hello\n',
    profile: 'ann',
    says:
      'The profile "ann" gives no credentials: ' +
      'Profile ann credential_process returned invalid JSON.',
  },
  {
    what: 'it has to be signed in',
    config:
      '[profile ann]\nsso_session = work\nsso_account_id = 1\nsso_role_name = ops\n' +
      '[sso-session work]\nsso_start_url = https://work.invalid\nsso_region = us-east-1\n',
    profile: 'ann',
    says: /^The profile "ann" gives no credentials: .*aws sso login/,
  },
  {
    what: 'it asks for a code, and nobody can type one',
    config: base + role,
    profile: 'ann',
    says:
      'AWS asks for the code of arn:aws:iam::111122223333:mfa/ann, and there is no terminal to ' +
      'ask on. Set AWS_PROFILE to one that is signed in.',
  },
])('a command says why it has no credentials if $what', async ({ config, profile, says }) => {
  const env = await accountWith(config, profile);
  const { code, errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  const said = errors.replace(/^petstore: /, '').trimEnd();
  expect({ code, said }).toStrictEqual({
    code: 1,
    said: typeof says === 'string' ? says : expect.stringMatching(says),
  });
});

/** Serves STS, which knows one code. */
const sts = () =>
  serve(async (request, response) => {
    const { TokenCode: code } = Object.fromEntries(new URLSearchParams(await text(request)));
    response.setHeader('Content-Type', 'text/xml');
    if (code !== '123456') {
      const message = 'MultiFactorAuthentication failed with invalid MFA one time pass code.';
      response.writeHead(403);
      response.end(
        `<ErrorResponse><Error><Code>AccessDenied</Code><Message>${message}</Message></Error></ErrorResponse>`,
      );
      return;
    }
    const expiration = new Date(Date.now() + 3_600_000).toISOString();
    response.end(
      '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>x</AccessKeyId>' +
        '<SecretAccessKey>y</SecretAccessKey><SessionToken>z</SessionToken>' +
        `<Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
    );
  });

test.each([
  { what: 'the right code', typed: '123456\r', says: signedIn },
  {
    what: 'a wrong code',
    typed: '654321\r',
    says:
      'petstore: The profile "ann" gives no credentials: ' +
      'MultiFactorAuthentication failed with invalid MFA one time pass code.',
  },
])('a profile with MFA asks once, and takes $what for what it is', async ({ typed, says }) => {
  const env = { ...(await accountWith(base + role, 'ann')), AWS_ENDPOINT_URL_STS: await sts() };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env, typed });
  const [question, message] = errors.split('\n');
  expect(question).toBe(`MFA code of arn:aws:iam::111122223333:mfa/ann: ${typed}`);
  expect(message?.startsWith(says)).toBe(true);
});
