/**
 * Loads a function and calls it with the events in turn, REQUESTS times to warm up and twice as
 * often to measure. Prints the bytes by which the heap grew over REQUESTS.
 *
 * usage: node --expose-gc memory-of.ts FUNCTION REQUESTS EVENTS
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { contextWith, setEnvironment, stream } from '../../support/functions/functions.ts';

const [, , name = '', requests, events = '[]'] = process.argv;
setEnvironment();
const { handler } = await import(`../../../functions/${name}.ts`);
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const invoke = (event: object): Promise<unknown> =>
  name === 'list-inventory'
    ? stream(handler, event, 300_000).ended
    : handler(event, contextWith(300_000));

const heapAfterRequests = async (): Promise<number> => {
  const all = JSON.parse(events);
  for (let request = 0; request < Number(requests); request++) {
    await invoke(structuredClone(all[request % all.length]));
  }
  // What requests have used is freed in steps: by callbacks, by a collection, and by what it runs.
  for (let step = 0; step < 5; step++) {
    await sleep(100);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
};

// The first requests compile the code and fill the caches.
const warm = await heapAfterRequests();
const middle = await heapAfterRequests();
const end = await heapAfterRequests();
// The engine may compile more at any time, but what is kept of requests grows each time.
print(String(Math.min(middle - warm, end - middle)));
process.exit();
