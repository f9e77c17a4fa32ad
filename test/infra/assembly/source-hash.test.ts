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
const same = { environment: { AWS_REGION: 'eu-west-1', HOME: home }, nodeVersion: 'v24.21.0', home };

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
    const before = sourceHash(project, same);
    const original = file.startsWith('..') ? '{}' : file;
    for (const content of [`${original} `, '']) {
      write(join(project, file), content);
      expect(sourceHash(project, same)).not.toBe(before);
    }
    rmSync(join(project, file));
    expect(sourceHash(project, same)).not.toBe(before);
    write(join(project, file), original);
    expect(sourceHash(project, same)).toBe(before);
  },
);

test.each(['functions/new.ts', 'infra/api/new.ts'])('is another one with %s', (file) => {
  const before = sourceHash(project, same);
  write(join(project, file), '');
  expect(sourceHash(project, same)).not.toBe(before);
  rmSync(join(project, file));
});

test.each([
  ['another version of Node', { nodeVersion: 'v24.21.1' }],
  ['another region', { environment: { ...same.environment, AWS_REGION: 'us-east-1' } }],
  ['an account', { environment: { ...same.environment, CDK_DEFAULT_ACCOUNT: '111111111111' } }],
  ['no region', { environment: { HOME: home } }],
])('is another one with %s', (_what, change) => {
  expect(sourceHash(project, { ...same, ...change })).not.toBe(sourceHash(project, same));
});

test('is another one when text moves from one file to the next', () => {
  const before = sourceHash(project, same);
  write(join(project, 'package.json'), `package.json${'tsconfig.json'.slice(0, 4)}`);
  write(join(project, 'tsconfig.json'), 'tsconfig.json'.slice(4));
  expect(sourceHash(project, same)).not.toBe(before);
  write(join(project, 'package.json'), 'package.json');
  write(join(project, 'tsconfig.json'), 'tsconfig.json');
});

test('does not depend on where the checkout lies, when it was written, or what synthesis does not read', () => {
  const before = sourceHash(project, same);
  write(join(project, 'README.md'), 'More');
  utimesSync(join(project, 'cdk.json'), 0, 0);
  expect(sourceHash(project, { ...same, environment: { ...same.environment, LANG: 'C' } as never })).toBe(before);
  expect(sourceHash(copy, same)).toBe(before);
});
