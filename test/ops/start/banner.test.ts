import { expect, test } from '@jest/globals';
import { banner } from '../../../ops/start/banner.ts';

const started = {
  stageName: 'staging',
  tablesAt: 'in memory',
  baseUrl: 'http://127.0.0.1:3000/staging/v1',
  apiKey: 'petstore_staging_4be1',
  isGivenKey: false,
  dynamodb: { endpoint: 'http://127.0.0.1:4000', inventory: 'stock', apiKeys: 'keys' },
  inspectors: new Map<string, string>(),
};

test('a start prints everything that clients need, to paste', () => {
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
