import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourceHash } from '../../../infra/assembly/source-hash.ts';

/** The files that are hashed. The last is in the home of the user, here a folder of the project. */
const paths = [
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
/** Each holds its own path. */
const usualFiles = Object.fromEntries(paths.map((path) => [path, path]));

interface Difference {
  /** The new content of files by path; undefined removes a file. */
  files?: Record<string, string | undefined>;
  environment?: NodeJS.ProcessEnv;
  nodeVersion?: string;
}

/** Returns the hash of a project, written to a new place each time, that differs from the usual. */
const hashWith = ({ files, environment, nodeVersion = 'v24.21.0' }: Difference): string => {
  const project = mkdtempSync(join(tmpdir(), 'petstore-sources-'));
  for (const [path, content] of Object.entries({ ...usualFiles, ...files })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    if (content !== undefined) {
      writeFileSync(join(project, path), content);
    }
  }
  const usualEnvironment = { AWS_REGION: 'eu-west-1', HOME: join(project, 'home') };
  return sourceHash(project, { ...usualEnvironment, ...environment }, nodeVersion);
};

test('the hash depends neither on place and time nor on what synthesis does not read', () => {
  const unread = { files: { 'README.md': 'More' }, environment: { LANG: 'C' } };
  expect(hashWith(unread)).toBe(hashWith({}));
});

test('the hash does not depend on the order of variables', () => {
  const [a, b] = [{ CDK_A: '1' }, { CDK_B: '2' }];
  const hash = hashWith({ environment: { ...a, ...b } });
  expect(hashWith({ environment: { ...b, ...a } })).toBe(hash);
});

test.each(paths)('the hash differs when %s is changed, emptied or removed', (path) => {
  const contents = [usualFiles[path], 'changed', '', undefined];
  const hashes = contents.map((content) => hashWith({ files: { [path]: content } }));
  expect(new Set(hashes).size).toBe(4);
});

test.each<{ what: string } & Difference>([
  {
    what: 'two files merged',
    files: {
      // Hashed without their lengths, the two files are the same bytes.
      'package.json': 'package.json["/tsconfig.json"]tsconfig.json',
      'tsconfig.json': undefined,
    },
  },
  {
    what: 'a renamed file',
    files: { 'infra/app.ts': undefined, 'infra/application.ts': 'infra/app.ts' },
  },
  { what: 'another version of Node', nodeVersion: 'v24.21.1' },
  { what: 'another region', environment: { AWS_REGION: 'us-east-1' } },
  { what: 'an account', environment: { CDK_DEFAULT_ACCOUNT: '111111111111' } },
])('the hash differs with $what', (difference) => {
  expect(hashWith(difference)).not.toBe(hashWith({}));
});

test("the hash is the same whether the user's settings are absent or cannot be read", () => {
  const HOME = mkdtempSync(join(tmpdir(), 'petstore-home-'));
  // Even root cannot follow a link to itself.
  symlinkSync('.cdk.json', join(HOME, '.cdk.json'));
  const absent = hashWith({ files: { 'home/.cdk.json': undefined } });
  expect(hashWith({ environment: { HOME } })).toBe(absent);
});
