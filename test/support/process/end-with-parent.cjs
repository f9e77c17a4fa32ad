// Preloaded into a process that a test has started with a channel to its own. The channel closes
// when the test's process ends, however it does.
process.once('disconnect', () => process.exit());
// The channel alone must not keep the process running.
process.channel?.unref();
