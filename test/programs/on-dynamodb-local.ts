// Runs tests on Amazon's DynamoDB Local, which needs Java: npm run test:dynamodb-local [-- FILE…]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../local/shared/local-server.ts';

// This package contains the engine. It is unpacked rather than installed, because its dependencies
// are not needed.
const name = 'amplify-dynamodb-simulator';
const version = '2.9.30';
const integrity =
  'sha512-xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==';

const project = join(import.meta.dirname, '../..');
const directory = join(project, `node_modules/.cache/${name}-${version}`);

if (!existsSync(join(directory, 'package'))) {
  mkdirSync(directory, { recursive: true });
  const tarball = join(directory, `${name}-${version}.tgz`);
  execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', directory], {
    stdio: 'inherit',
  });
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (`sha512-${digest}` !== integrity) {
    throw new Error(`${tarball} is not the package that was expected.`);
  }
  execFileSync('tar', ['-xzf', tarball, '-C', directory]);
}

const { address, close } = await listen(createServer());
// The port was free a moment ago, so the engine can use it.
await close();
const endpoint = `http://${address}`;
const java = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
const options = ['-inMemory', '-disableTelemetry', '-port', new URL(endpoint).port];
const engine = spawn('java', [...java, ...options], {
  cwd: join(directory, 'package/emulator'),
  stdio: 'ignore',
});
engine.once('exit', () => {
  throw new Error('DynamoDB Local ended.');
});
while (!(await fetch(endpoint).catch(() => false))) {
  await sleep(100);
}

/**
 * The suites that use tables, except those that always start their own engine. `--data` works with
 * dynalite only.
 */
const suites = [
  'test/system/(acceptance|faults|concurrency/concurrency)',
  'test/functions/(authorizer|update-inventory)',
  'test/local/tables/dynalite-with-old-items',
  'test/ops/(start|keys/|inventory/(?!read-entries)|stage/(?!run-file))',
];

const [, , ...given] = process.argv;
const files = given.length > 0 ? given : suites;
const slow = ['--testMatch', '**/*.test.ts', '**/list.slow.ts', '--testTimeout', '600000'];
const { status } = spawnSync('npm', ['test', '--', ...files, ...slow, '--maxWorkers', '4'], {
  cwd: project,
  env: { ...process.env, DYNAMODB_LOCAL_ENDPOINT: endpoint },
  stdio: 'inherit',
});
engine.kill();
process.exit(status ?? 1);
