import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import type { OpsOptions } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const { change, keys, create, show } = localKeys();

const [longAgo, longAgoText] = [1_700_000_000, '2023-11-14T22:13:20Z'];

test('find says whose key it is and how to revoke it, and does not print it', async () => {
  const { key, id } = await create();
  expect(await keys(['find'], { input: `${key}\n` })).toEqual({
    code: 0,
    output: `Key ${id} ("shop") is active, with no expiry.\n`,
    errors: `Revoke it: npx --no -- petstore keys revoke ${id} --now --local\n`,
  });
});

test('find takes a key out of a line of a log', async () => {
  const { key, id } = await create();
  const input = `{"headers":{"authorization":"Bearer ${key}"},"status":200}\n`;
  expect((await keys(['find'], { input })).output).toBe(
    `Key ${id} ("shop") is active, with no expiry.\n`,
  );
});

test.each([
  { changes: { expiresAt: longAgo }, state: `expired at ${longAgoText}` },
  { changes: { revokedAt: longAgo }, state: `was revoked at ${longAgoText}` },
])('find tells that a key $state, and not how to revoke it', async ({ changes, state }) => {
  const { key, id } = await create();
  await change(id, changes);
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: `Key ${id} ("shop") ${state}.\n`,
    errors: '',
  });
});

test('find --json prints what list --json does', async () => {
  const { key, id } = await create('--read-only', '--expires', '1d');
  const { output } = await keys(['find', '--json'], { input: key });
  expect(JSON.parse(output)).toEqual(await show(id));
});

test('stored text neither controls the terminal nor is run when a hint is pasted', async () => {
  const { key, id } = await create();
  await change(id, { keyId: '$(id)', name: 'a\n\u001b[2K\u009b' });
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: 'Key $(id) ("a\\u000a\\u001b[2K\\u009b") is active, with no expiry.\n',
    errors: "Revoke it: npx --no -- petstore keys revoke '$(id)' --now --local\n",
  });
});

test('find shows a record without an ID, and does not say how to revoke it', async () => {
  const { key, id } = await create();
  await change(id, { keyId: undefined });
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: 'Key - ("shop") lacks an ID or a known access, so the service denies it everything.\n',
    errors: '',
  });
});

const [ofStaging, ofProd] = [createApiKey('staging'), createApiKey('prod')];
const typed = (text: string): OpsOptions => ({ typed: { prompt: /: $/, text } });
const prompt = 'API key (not shown): ';
const form = 'A key is petstore_STAGE_ followed by 48 hex digits.';
const none = `petstore: There is no API key in this. ${form}\n`;

test.each<{ what: string; settings: OpsOptions; code: number; errors: string }>([
  {
    what: 'a key of prod',
    settings: { input: ofProd },
    code: 5,
    errors:
      'petstore: This is a key of prod, not of staging.\n' +
      'Look there: npx --no -- petstore keys find --stage prod\n',
  },
  {
    what: 'a key that was never issued',
    settings: { input: ofStaging },
    code: 5,
    errors: 'petstore: This key was never issued here.\n',
  },
  {
    what: 'a letter that is no digit',
    settings: { input: ofStaging.replace(/.$/, 'x') },
    code: 3,
    errors: `petstore: This is not an API key. ${form}\n`,
  },
  { what: 'a megabyte', settings: { input: 'x'.repeat(1_000_000) }, code: 3, errors: none },
  { what: 'Ctrl-D', settings: typed('\x04'), code: 3, errors: `${prompt}\n${none}` },
  {
    what: 'Ctrl-C',
    settings: typed('\x03'),
    code: 130,
    errors: `${prompt}\npetstore: Interrupted. Nothing was changed.\n`,
  },
])('find says what is wrong with $what', async ({ settings, code, errors }) => {
  expect(await keys(['find'], settings)).toEqual({ code, output: '', errors });
});
