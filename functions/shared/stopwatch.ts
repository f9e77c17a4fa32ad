/**
 * Starts a stopwatch. The function that it returns gives the whole milliseconds since then. Using
 * `performance` would make Node load more modules, which takes 1 % of a cold start.
 */
export const stopwatch = (): (() => number) => {
  const startedAt = process.uptime();
  return () => Math.round((process.uptime() - startedAt) * 1000);
};
