import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sourceHash } from '../../../infra/assembly/source-hash.ts';

const files = [
  'functions/list-inventory.ts',
  'functions/http/json-request.ts',
  'infra/app.ts',
  'infra/lambda/sdk-stubs.cjs',
  'cdk.json',
  'cdk.context.json',
  'tsconfig.json',
  'package.json',
  'node_modules/.package-lock.json',
];

const root = mkdtempSync(join(tmpdir(), 'petstore-sources-'));
afterAll(() => rmSync(root, { recursive: true }));

const project = join(root, 'project');
const copy = join(root, 'a/deeper/copy');
const home = join(root, 'home');
const environment = { AWS_REGION: 'eu-west-1', HOME: home };
const hash = (changes = {}, nodeVersion = 'v24.21.0', directory = project) =>
  sourceHash(directory, { ...environment, ...changes }, nodeVersion);

const write = (path: string, content: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

beforeAll(() => {
  for (const file of files) {
    write(join(project, file), file);
    write(join(copy, file), file);
  }
  write(join(home, '.cdk.json'), '{}');
});

test.each([...files, '../home/.cdk.json'])(
  'is another one when %s changes, and the same when it is changed back',
  (file) => {
    const before = hash();
    const original = file.startsWith('..') ? '{}' : file;
    for (const content of [`${original} `, '']) {
      write(join(project, file), content);
      expect(hash()).not.toBe(before);
    }
    rmSync(join(project, file));
    expect(hash()).not.toBe(before);
    write(join(project, file), original);
    expect(hash()).toBe(before);
  },
);

test.each(['functions/new.ts', 'infra/api/new.ts'])('is another one with %s', (file) => {
  const before = hash();
  write(join(project, file), '');
  expect(hash()).not.toBe(before);
  rmSync(join(project, file));
});

test.each([
  ['another version of Node', {}, 'v24.21.1'],
  ['another region', { AWS_REGION: 'us-east-1' }, undefined],
  ['an account', { CDK_DEFAULT_ACCOUNT: '111111111111' }, undefined],
  ['no region', { AWS_REGION: undefined }, undefined],
])('is another one with %s', (_what, changes, nodeVersion) => {
  expect(hash(changes, nodeVersion)).not.toBe(hash());
});

test('is another one when text moves from one file to the next', () => {
  const before = hash();
  write(join(project, 'package.json'), `package.json${'tsconfig.json'.slice(0, 4)}`);
  write(join(project, 'tsconfig.json'), 'tsconfig.json'.slice(4));
  expect(hash()).not.toBe(before);
  write(join(project, 'package.json'), 'package.json');
  write(join(project, 'tsconfig.json'), 'tsconfig.json');
});

test('does not depend on where the checkout lies, when it was written, or what synthesis does not read', () => {
  const before = hash();
  write(join(project, 'README.md'), 'More');
  utimesSync(join(project, 'cdk.json'), 0, 0);
  expect(hash({ LANG: 'C' })).toBe(before);
  expect(hash({}, undefined, copy)).toBe(before);
});
