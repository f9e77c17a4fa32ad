/** Aborted by the first Ctrl-C, so that work can end in order; the second ends the program at once. */
export const interruption = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (controller.signal.aborted) {
        process.exit(130);
      }
      controller.abort();
    });
  }
  return controller.signal;
};
