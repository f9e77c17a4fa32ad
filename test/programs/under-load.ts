// npm run test:under-load [-- FILE…] runs the quick tests ten times beside two busy loops, each
// time in another order, and prints ten results. To repeat the order of a run: npm test --
// --randomize --seed N
import { spawn, spawnSync } from 'node:child_process';

const runs = 10;
const busyLoops = Array.from({ length: 2 }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
let failed = 0;
try {
  for (let run = 1; run <= runs; run++) {
    const startedAt = performance.now();
    const args = ['test', '--', '--randomize', ...process.argv.slice(2)];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const counts = stderr.match(/^(Seed|Tests): .*$/gm)?.join('. ') ?? 'No tests were run';
    console.log(
      `Run ${run} of ${runs}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s. ${counts}`,
    );
    for (const [lines] of status === 0 ? [] : stderr.matchAll(/^FAIL .*(\n.*){12}/gm)) {
      console.log(lines);
    }
    failed += status === 0 ? 0 : 1;
  }
} finally {
  for (const loop of busyLoops) {
    loop.kill();
  }
}
process.exitCode = failed === 0 ? 0 : 1;
