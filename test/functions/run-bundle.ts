/** A process that has loaded a function's bundle and hands it the events that its parent sends. */
import { createRequire } from 'node:module';

const { handler } = createRequire(import.meta.url)(process.argv[2] ?? '');

process.on('message', async ({ event, environment }: { event: unknown; environment: Record<string, string> }) => {
  Object.assign(process.env, environment);
  process.send?.(await handler(event, {}));
});
process.send?.('loaded');
