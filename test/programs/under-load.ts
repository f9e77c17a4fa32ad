// npm run test:under-load [-- FILE…] runs the quick tests five times beside two busy loops, each
// time in another order. It finds tests that depend on order, or on how long something takes.
import { spawn, spawnSync } from 'node:child_process';

const busyLoops = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);']));
try {
  for (let run = 1; run <= 5; run++) {
    const { status } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], {
      stdio: 'inherit',
    });
    process.exitCode ||= status ?? 1;
  }
} finally {
  for (const loop of busyLoops) {
    loop.kill();
  }
}
