/**
 * Preloaded into a measured process. Answers each message of its parent with the CPU and memory
 * used so far.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, peakMemory: process.resourceUsage().maxRSS / 1024 });
});
