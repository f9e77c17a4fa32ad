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
  ['expired', { expiresAt: longAgo }, `expired at ${longAgoText}`],
  ['revoked', { revokedAt: longAgo }, `was revoked at ${longAgoText}`],
])('find tells that a key is %s, and not to revoke it', async (_state, changes, state) => {
  const { key, id } = await create();
  await change(id, changes);
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: `Key ${id} ("shop") ${state}.\n`,
    errors: '',
  });
});

test('find --json prints what show --json does', async () => {
  const { key, id } = await create('--expires', '1d');
  const { output } = await keys(['find', '--json'], { input: key });
  expect(JSON.parse(output)).toEqual(await show(id));
});

test('find shows a record without an ID, and does not say how to revoke it', async () => {
  const { key, id } = await create();
  await change(id, { keyId: undefined });
  expect(await keys(['find'], { input: key })).toEqual({
    code: 0,
    output: 'Key - ("shop") has no ID, so the service does not accept it.\n',
    errors: '',
  });
});

const [ofStaging, ofProd] = [createApiKey('staging'), createApiKey('prod')];
const typed = (text: string): OpsOptions => ({ typed: { prompt: /: $/, text } });
const prompt = 'API key (not shown): ';
const form = 'A key is petstore_STAGE_ followed by 48 hex digits.';
const none = `petstore: There is no API key in this. ${form}\n`;

test.each<[string, OpsOptions, number, string]>([
  [
    'a key of prod',
    { input: ofProd },
    5,
    'petstore: This is a key of prod, not of staging.\n' +
      'Look there: npx --no -- petstore keys find --stage prod\n',
  ],
  [
    'a key that was never issued',
    { input: ofStaging },
    5,
    'petstore: This key was never issued here.\n',
  ],
  [
    'a letter that is no digit',
    { input: ofStaging.replace(/.$/, 'x') },
    3,
    `petstore: This is not an API key. ${form}\n`,
  ],
  ['a megabyte', { input: 'x'.repeat(1_000_000) }, 3, none],
  ['Ctrl-D', typed('\x04'), 3, `${prompt}\n${none}`],
  ['Ctrl-C', typed('\x03'), 130, `${prompt}\npetstore: Interrupted. Nothing was changed.\n`],
])('find says what is wrong with %s', async (_name, settings, code, errors) => {
  expect(await keys(['find'], settings)).toEqual({ code, output: '', errors });
});
