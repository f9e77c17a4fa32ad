/**
 * Compares the Node in each npm package that node-24.cjs may run with the one that Node's releasers
 * have signed. Prints a line for each package. Ends with 1 unless all were compared and are the
 * same. Needs npm, tar and gpgv, and no package of this project.
 *
 *     node .ci/compare-node.ts
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const {
  NODE_RELEASES: releases = 'https://nodejs.org/dist',
  NODE_RELEASE_KEYS:
    releaseKeys = 'https://github.com/nodejs/release-keys/raw/HEAD/gpg/pubring.kbx',
} = process.env;

const directory = mkdtempSync(join(tmpdir(), 'compare-node-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const sha256 = (file: string): string => hash('sha256', readFileSync(file));

const run = (program: string, ...args: string[]): string => {
  try {
    return execFileSync(program, args, { cwd: directory, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? error).trim();
    throw new Error(`${program} failed: ${said}`);
  }
};

/** Downloads a file and returns its path. */
const download = async (url: string, name: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) }).catch((error) => {
    throw new Error(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
  });
  if (!response.ok) {
    throw new Error(`${url} responded ${response.status}`);
  }
  const file = join(directory, name);
  writeFileSync(file, await response.bytes());
  return file;
};

/** Unpacks one file of an archive and returns its path. */
const unpack = (archive: string, path: string): string => {
  run('tar', '-xzf', archive, path);
  return join(directory, path);
};

/** Returns the hash of each file of a release, as a releaser has signed it. */
const signedHashes = async (version: string): Promise<Map<string, string>> => {
  const keys = await download(releaseKeys, 'release-keys.kbx');
  const signed = await download(`${releases}/v${version}/SHASUMS256.txt.asc`, 'SHASUMS256.txt.asc');
  const list = join(directory, 'SHASUMS256.txt');
  rmSync(list, { force: true });
  run('gpgv', '--keyring', keys, '--output', list, signed);
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split(/ +/).toReversed() as [string, string]));
};

/** Returns the hash of the program in a release of Node, and where it comes from. */
const releasedNode = async (version: string, platform: string) => {
  const hashes = await signedHashes(version);
  const windowsProgram = hashes.get(`${platform}/node.exe`);
  if (windowsProgram !== undefined) {
    return { source: `v${version}/${platform}/node.exe`, digest: windowsProgram };
  }
  const root = `node-v${version}-${platform}`;
  const archive = await download(`${releases}/v${version}/${root}.tar.gz`, `${root}.tar.gz`);
  if (sha256(archive) !== hashes.get(`${root}.tar.gz`)) {
    throw new Error(`${root}.tar.gz is not the file that was signed`);
  }
  return { source: `${root}.tar.gz`, digest: sha256(unpack(archive, `${root}/bin/node`)) };
};

/** Returns the hash of the program in an npm package, which must be the one of the lock file. */
const packagedNode = (name: string, version: string, integrity: string): string => {
  const tarball = join(
    directory,
    run('npm', 'pack', '--silent', `${name}@${version}`, '--min-release-age=0').trim(),
  );
  if (`sha512-${hash('sha512', readFileSync(tarball), 'base64')}` !== integrity) {
    throw new Error('the package is not the one of package-lock.json');
  }
  const { bin } = readJson(unpack(tarball, 'package/package.json'));
  return sha256(unpack(tarball, join('package', bin.node)));
};

/** Returns what was found out about a package, and whether its Node is the released one. */
const compare = async (name: string, version: string, integrity: string) => {
  const platform = name.replace(/^node-(bin-)?/, '');
  try {
    const packaged = packagedNode(name, version, integrity);
    const { source, digest } = await releasedNode(version, platform);
    const same = packaged === digest;
    const text = same
      ? `same as ${source}, sha256 ${digest}`
      : `DIFFERENT: sha256 ${packaged}, but ${source} has ${digest}`;
    return { same, text };
  } catch (error) {
    return { same: false, text: `NOT COMPARED: ${(error as Error).message}` };
  }
};

const { packages } = readJson('package-lock.json');
const names = Object.keys(packages[''].optionalDependencies).filter((name) => /^node-/.test(name));
if (names.length === 0) {
  throw new Error('package-lock.json has no package with Node.');
}
for (const name of names) {
  const { version, integrity } = packages[`node_modules/${name}`];
  const { same, text } = await compare(name, version, integrity);
  console.log(`${name} ${version}: ${text}`);
  if (!same) {
    process.exitCode = 1;
  }
}
