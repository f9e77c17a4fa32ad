// Runs the quick tests ten times beside two busy loops and prints ten results: npm run test:under-load [-- FILE…]
import { spawn, spawnSync } from 'node:child_process';

const runs = 10;
const busyLoops = Array.from({ length: 2 }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
let failed = 0;
try {
  for (let run = 1; run <= runs; run++) {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], { encoding: 'utf8' });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const [counts = 'no tests were run'] = /^Tests: .*$/m.exec(stderr) ?? [];
    console.log(`Run ${run} of ${runs}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s. ${counts}`);
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
