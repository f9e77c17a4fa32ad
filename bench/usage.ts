/** Preloaded into a process that is measured: tells its parent, when asked, what it has used. */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, peakMemory: process.resourceUsage().maxRSS / 1024 });
});
