import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../../local/shared/local-server.ts';
import { cache } from '../process/tools.ts';
import { until } from '../process/until.ts';
import prepareRun from './run.ts';

// This package contains the engine. It is unpacked rather than installed, because its dependencies
// are not needed.
const name = 'amplify-dynamodb-simulator';
const version = '2.9.30';
const integrity =
  'sha512-xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==';

/** Downloads the engine unless an earlier run has. Returns its directory. */
const unpackEngine = (): string => {
  const directory = join(cache, `${name}-${version}`);
  const tarball = join(directory, `${name}-${version}.tgz`);
  if (!existsSync(join(directory, 'package'))) {
    mkdirSync(directory, { recursive: true });
    const npm = ['pack', `${name}@${version}`, '--min-release-age=0'];
    execFileSync('npm', [...npm, '--pack-destination', directory], { stdio: 'inherit' });
    const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
    if (`sha512-${digest}` !== integrity) {
      throw new Error(`${tarball} is not the package that was expected.`);
    }
    execFileSync('tar', ['-xzf', tarball, '-C', directory]);
  }
  return join(directory, 'package/emulator');
};

/** Returns a port that was free a moment ago. The engine does not say which one it would take. */
const freePort = async (): Promise<string> => {
  const { address, close } = await listen(createServer());
  await close();
  return address.replace(/^.*:/, '');
};

/** Waits until the engine responds. Returns false if it ends instead. */
const isReady = async (engine: ChildProcess, endpoint: string): Promise<boolean> => {
  await until(
    'DynamoDB Local',
    async () => engine.exitCode !== null || (await fetch(endpoint)),
    300,
  );
  return engine.exitCode === null;
};

const startOn = async (port: string, cwd: string): Promise<ChildProcess | undefined> => {
  const java = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const options = ['-inMemory', '-disableTelemetry', '-port', port];
  const engine = spawn('java', [...java, ...options], { cwd, stdio: 'ignore' });
  engine.once('error', (error) => {
    throw new Error('The suite `tables` needs Java.', { cause: error });
  });
  return (await isReady(engine, `http://127.0.0.1:${port}`)) ? engine : undefined;
};

/** Prepares a run on Amazon's DynamoDB Local. */
export default async () => {
  const directory = unpackEngine();
  // Another process may take the port in between: the engine then ends, and gets another port.
  for (let attempt = 1; attempt <= 5; attempt++) {
    const port = await freePort();
    const engine = await startOn(port, directory);
    if (engine) {
      engine.unref();
      process.once('exit', () => engine.kill());
      process.env.DYNAMODB_LOCAL_ENDPOINT = `http://127.0.0.1:${port}`;
      return prepareRun();
    }
  }
  throw new Error('DynamoDB Local has not started.');
};
