import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourceHash } from '../../../infra/assembly/source-hash.ts';

/**
 * The files that are hashed; the last is in the user's home, here a part of the checkout. Each
 * holds its own path.
 */
const files = [
  'functions/list-inventory.ts',
  'infra/app.ts',
  'functions/shared/plain.cjs',
  'cdk.json',
  'cdk.context.json',
  'tsconfig.json',
  'package.json',
  'node_modules/.package-lock.json',
  'home/.cdk.json',
];

type Values = Record<string, string | undefined>;
const original: Values = Object.fromEntries(files.map((file) => [file, file]));

/**
 * Returns the hash of a checkout that has these changes and is written to a new place each time.
 */
const hash = (changes: Values = {}, environment: Values = {}, nodeVersion = 'v24.21.0'): string => {
  const project = mkdtempSync(join(tmpdir(), 'petstore-sources-'));
  for (const [file, content] of Object.entries({ ...original, ...changes })) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    if (content !== undefined) {
      writeFileSync(join(project, file), content);
    }
  }
  return sourceHash(
    project,
    { AWS_REGION: 'eu-west-1', HOME: join(project, 'home'), ...environment },
    nodeVersion,
  );
};

test('the hash depends neither on place and time nor on what synthesis does not read', () => {
  expect(hash({ 'README.md': 'More' }, { LANG: 'C' })).toBe(hash());
});

test.each(files)('the hash differs when %s is changed, emptied or removed', (file) => {
  const hashes = [file, `${file} `, '', undefined].map((content) => hash({ [file]: content }));
  expect(new Set(hashes).size).toBe(4);
});

test.each<[string, Values, Values?, string?]>([
  [
    'two files merged',
    { 'package.json': 'package.json["/tsconfig.json"]tsconfig.json', 'tsconfig.json': undefined },
  ],
  ['a renamed file', { 'infra/app.ts': undefined, 'infra/application.ts': 'infra/app.ts' }],
  ['another version of Node', {}, {}, 'v24.21.1'],
  ['another region', {}, { AWS_REGION: 'us-east-1' }],
  ['an account', {}, { CDK_DEFAULT_ACCOUNT: '111111111111' }],
])('the hash differs with %s', (...[, changes, environment, nodeVersion]) => {
  expect(hash(changes, environment, nodeVersion)).not.toBe(hash());
});

test('the hash is made even if the home of the user cannot be read', () => {
  const HOME = mkdtempSync(join(tmpdir(), 'petstore-home-'));
  // Even root cannot follow a link to itself.
  symlinkSync('.cdk.json', join(HOME, '.cdk.json'));
  expect(hash({}, { HOME })).toBe(hash({ 'home/.cdk.json': undefined }));
});
