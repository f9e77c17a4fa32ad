import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourceHash } from '../../../infra/assembly/source-hash.ts';

/** What is read of a checkout and, last, of a user's home, which is in it here. Each holds its own path. */
const files = [
  'functions/list-inventory.ts',
  'infra/app.ts',
  'infra/lambda/sdk-stubs.cjs',
  'cdk.json',
  'cdk.context.json',
  'tsconfig.json',
  'package.json',
  'node_modules/.package-lock.json',
  'home/.cdk.json',
];

type Values = Record<string, string | undefined>;
const original: Values = Object.fromEntries(files.map((file) => [file, file]));

/** That of a checkout which is written anew each time, at another place, and in which some of it differs. */
const hash = (changes: Values = {}, environment: Values = {}, nodeVersion = 'v24.21.0'): string => {
  const project = mkdtempSync(join(tmpdir(), 'petstore-sources-'));
  for (const [file, content] of Object.entries({ ...original, ...changes })) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    if (content !== undefined) {
      writeFileSync(join(project, file), content);
    }
  }
  return sourceHash(project, { AWS_REGION: 'eu-west-1', HOME: join(project, 'home'), ...environment }, nodeVersion);
};

test('is the same wherever the checkout lies, whenever it was written, and whatever synthesis does not read', () => {
  expect(hash({ 'README.md': 'More' }, { LANG: 'C' })).toBe(hash());
});

test.each(files)('is another one when %s is changed, emptied or removed', (file) => {
  const hashes = [file, `${file} `, '', undefined].map((content) => hash({ [file]: content }));
  expect(new Set(hashes).size).toBe(4);
});

test.each<[string, Values, Values?, string?]>([
  ['a file in another', { 'package.json': 'package.json["/tsconfig.json"]tsconfig.json', 'tsconfig.json': undefined }],
  ['a file of another name', { 'infra/app.ts': undefined, 'infra/application.ts': 'infra/app.ts' }],
  ['another version of Node', {}, {}, 'v24.21.1'],
  ['another region', {}, { AWS_REGION: 'us-east-1' }],
  ['an account', {}, { CDK_DEFAULT_ACCOUNT: '111111111111' }],
])('is another one with %s', (...[, changes, environment, nodeVersion]) => {
  expect(hash(changes, environment, nodeVersion)).not.toBe(hash());
});

test('is made though the home of the user cannot be looked into', () => {
  const HOME = mkdtempSync(join(tmpdir(), 'petstore-home-'));
  // Even root cannot follow it.
  symlinkSync('.cdk.json', join(HOME, '.cdk.json'));
  expect(hash({}, { HOME })).toBe(hash({ 'home/.cdk.json': undefined }));
});
