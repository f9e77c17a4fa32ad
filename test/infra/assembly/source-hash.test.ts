import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourceHash } from '../../../infra/assembly/source-hash.ts';

/** What is read of a checkout, `project`, in a user's home. Each holds its own path. */
const files = [
  'project/functions/list-inventory.ts',
  'project/functions/http/json-request.ts',
  'project/infra/app.ts',
  'project/infra/lambda/sdk-stubs.cjs',
  'project/cdk.json',
  'project/cdk.context.json',
  'project/tsconfig.json',
  'project/package.json',
  'project/node_modules/.package-lock.json',
  '.cdk.json',
];

type Files = Record<string, string | undefined>;
const original: Files = Object.fromEntries(files.map((file) => [file, file]));

const home = mkdtempSync(join(tmpdir(), 'petstore-sources-'));

/** That of a checkout which is written anew each time, at another place, and in which some of it differs. */
const hash = (changes: Files = {}, environment: Files = {}, nodeVersion = 'v24.21.0'): string => {
  const project = mkdtempSync(join(home, 'project-'));
  for (const [file, content] of Object.entries({ ...original, ...changes })) {
    const path = file.startsWith('project/') ? file.replace('project', project) : join(home, file);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    if (content !== undefined) {
      writeFileSync(path, content);
    }
  }
  return sourceHash(project, { AWS_REGION: 'eu-west-1', HOME: home, ...environment }, nodeVersion);
};

test('is the same wherever the checkout lies, whenever it was written, and whatever synthesis does not read', () => {
  expect(hash({ 'project/README.md': 'More' }, { LANG: 'C' })).toBe(hash());
});

test.each(files)('is another one when %s is changed, emptied or removed', (file) => {
  const hashes = [file, `${file} `, '', undefined].map((content) => hash({ [file]: content }));
  expect(new Set(hashes).size).toBe(4);
});

test.each<[string, Files, Files?, string?]>([
  ['a new file', { 'project/infra/api/new.ts': '' }],
  [
    'text of the next file',
    { 'project/package.json': 'project/package.jsonp', 'project/tsconfig.json': 'roject/tsconfig.json' },
  ],
  ['another version of Node', {}, {}, 'v24.21.1'],
  ['another region', {}, { AWS_REGION: 'us-east-1' }],
  ['an account', {}, { CDK_DEFAULT_ACCOUNT: '111111111111' }],
])('is another one with %s', (...[, changes, environment, nodeVersion]) => {
  expect(hash(changes, environment, nodeVersion)).not.toBe(hash());
});

test('is made though the home of the user cannot be looked into', () => {
  const closed = mkdtempSync(join(home, 'home-'));
  // Even root cannot follow it.
  symlinkSync('.cdk.json', join(closed, '.cdk.json'));
  expect(hash({}, { HOME: closed })).toBe(hash({ '.cdk.json': undefined }));
});
