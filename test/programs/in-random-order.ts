// npm run test:random-order [-- FILE…] runs the quick tests twice, each time in another order,
// and prints the seeds. To repeat the order of a run: npm test -- --randomize --seed N
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const files = process.argv.slice(2);

// Its last tests look at what the suite before them has sent, so it has one order.
const inOneOrder = 'test/system/acceptance/acceptance\\.test';

for (const run of [1, 2]) {
  const seed = randomInt(2 ** 31);
  console.log(`Run ${run} of 2, in the order of seed ${seed}:`);
  const args = ['test', '--', '--randomize', '--seed', String(seed)];
  const leaveOut = ['--testPathIgnorePatterns', '/node_modules/', inOneOrder];
  const { status } = spawnSync('npm', [...args, ...files, ...leaveOut], { stdio: 'inherit' });
  if (status !== 0) {
    console.log(`Repeat this run with: npm test -- --randomize --seed ${seed}`);
    process.exitCode = 1;
  }
}
const { status } = spawnSync('npm', ['test', '--', inOneOrder], { stdio: 'inherit' });
process.exitCode ||= status ?? 1;
