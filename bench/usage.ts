/**
 * Preloaded into a measured process. Answers each message of its parent with the CPU and memory
 * used so far.
 */
import { readFileSync } from 'node:fs';

/**
 * Returns the largest resident set of this process in MiB. On Linux, `maxRSS` would be that of the
 * parent process if it was larger when it started this one.
 */
const peakMemory = (): number => {
  if (process.platform !== 'linux') {
    return process.resourceUsage().maxRSS / 1024;
  }
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
};

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, peakMemory: peakMemory() });
});
