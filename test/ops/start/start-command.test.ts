import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { banner } from '../../../ops/start/banner.ts';
import { givenKey, issueOrReuse } from '../../../ops/start/given-key.ts';
import { watchSources } from '../../../ops/start/watched-sources.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const started = {
  stageName: 'staging',
  tablesAt: 'in memory',
  baseUrl: 'http://127.0.0.1:3000/staging/v1',
  apiKey: 'petstore_staging_4be1',
  isGivenKey: false,
  dynamodb: { endpoint: 'http://127.0.0.1:4000', inventory: 'stock', apiKeys: 'keys' },
  inspectors: new Map<string, string>(),
};

test('start prints everything that clients need, to paste', () => {
  expect(banner(started)).toBe(`\
Petstore inventory, stage staging, tables in memory. Ctrl-C stops it.

Base URL: http://127.0.0.1:3000/staging/v1
API key: petstore_staging_4be1
DynamoDB: http://127.0.0.1:4000 (tables stock, keys)
API reference: http://127.0.0.1:3000/#key=petstore_staging_4be1

For the programs in examples/:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1 PETSTORE_API_KEY=petstore_staging_4be1

Try it:
curl -H "Authorization: Bearer petstore_staging_4be1" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test('a key that was given is printed nowhere, nor put in a URL', () => {
  expect(banner({ ...started, isGivenKey: true })).toBe(`\
Petstore inventory, stage staging, tables in memory. Ctrl-C stops it.

Base URL: http://127.0.0.1:3000/staging/v1
API key: the one given with --api-key
DynamoDB: http://127.0.0.1:4000 (tables stock, keys)
API reference: http://127.0.0.1:3000/

For the programs in examples/, which also need PETSTORE_API_KEY:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1

Try it:
curl -H "Authorization: Bearer $PETSTORE_API_KEY" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test('where debuggers can attach is printed with the name of each function', () => {
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function';
  const inspectors = new Map([
    [`${functionArn}:staging-petstore-inventory-ListInventory9C0D1E2F`, 'ws://127.0.0.1:9229/a-1'],
    [`${functionArn}:staging-petstore-inventory-Authorizer0A1B2C3D`, 'ws://127.0.0.1:9230/b-2'],
  ]);
  expect(banner({ ...started, inspectors })).toContain(`
API reference: http://127.0.0.1:3000/#key=petstore_staging_4be1
Inspector of ListInventory: ws://127.0.0.1:9229/a-1
Inspector of Authorizer: ws://127.0.0.1:9230/b-2

`);
});

test('the name of a directory cannot control the terminal', () => {
  const text = banner({ ...started, tablesAt: 'in \u001b[2K\n\u009b' });
  expect(text.split('\n')[0]).toBe(
    'Petstore inventory, stage staging, tables in \\u001b[2K\\u000a\\u009b. Ctrl-C stops it.',
  );
});

const given = createApiKey('staging');

test('a well-formed key of the stage is accepted with --api-key', () => {
  expect(givenKey(given, 'staging')).toBe(given);
});

test.each([
  {
    text: 'secret',
    message: 'There is no API key in this. A key is petstore_STAGE_ followed by 48 hex digits.',
  },
  {
    text: createApiKey('prod'),
    message: 'The key given with --api-key is one of prod, but this run is staging.',
  },
])('$text is no key of staging', ({ text, message }) => {
  expect(() => givenKey(text, 'staging')).toThrow(
    expect.objectContaining({ code: 'invalid', message }),
  );
});

describe('in tables that may have the key', () => {
  const { stage, all, change, stateOf } = localKeys();

  test('without a key, a new one is issued', async () => {
    const apiKey = await issueOrReuse(stage.apiKeys(), 'staging', undefined);
    expect(await stateOf(apiKey)).toBe('active');
    expect(await all()).toMatchObject([{ name: 'petstore start' }]);
  });

  test('a key that is given is the only one that is issued, once', async () => {
    expect(await issueOrReuse(stage.apiKeys(), 'staging', given)).toBe(given);
    expect(await stateOf(given)).toBe('active');
    expect(await all()).toMatchObject([{ name: 'petstore start' }]);
    const before = await all();
    expect(await issueOrReuse(stage.apiKeys(), 'staging', given)).toBe(given);
    expect(await all()).toEqual(before);
  });

  test.each([
    { ended: 'was revoked', changes: { revokedAt: 1 } },
    { ended: 'has expired', changes: { expiresAt: 1 } },
    { ended: 'is denied', changes: { access: 'unknown' as never } },
  ])('a key that $ended is not made to work again', async ({ ended, changes }) => {
    await issueOrReuse(stage.apiKeys(), 'staging', given);
    const [record] = await all();
    await change(record?.keyId ?? '', changes);
    const before = await all();
    await expect(issueOrReuse(stage.apiKeys(), 'staging', given)).rejects.toMatchObject({
      code: 'conflict',
      message: `The key given with --api-key ${ended} in these tables.`,
    });
    expect(await all()).toEqual(before);
  });
});

/** Returns how many directories this process watches, once those that it no longer does are gone. */
const watching = async (): Promise<number> => {
  await setImmediate();
  await setImmediate();
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
};

test('--watch watches each directory once, also after changes and in new directories', async () => {
  const project = mkdtempSync(join(tmpdir(), 'petstore-watched-'));
  mkdirSync(join(project, 'functions/http'), { recursive: true });
  mkdirSync(join(project, 'infra'));
  const before = await watching();
  let changed = Promise.withResolvers<void>();
  const { close } = watchSources(() => changed.resolve(), project);
  expect(await watching()).toBe(before + 3);

  for (const path of ['functions/keys', 'functions/http/keys']) {
    changed = Promise.withResolvers<void>();
    mkdirSync(join(project, path));
    await changed.promise;
  }
  expect(await watching()).toBe(before + 5);

  changed = Promise.withResolvers<void>();
  writeFileSync(join(project, 'functions/keys/new.ts'), '');
  await changed.promise;
  expect(await watching()).toBe(before + 5);

  close();
  expect(await watching()).toBe(before);
});
