/**
 * Loads a function and calls it with the events in turn, REQUESTS times to warm up and twice as
 * often to measure. Prints the bytes by which the heap grew over REQUESTS.
 *
 * usage: node --expose-gc memory-of.ts FUNCTION REQUESTS EVENTS
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  contextWith,
  ResponseStream,
  setEnvironment,
  stream,
} from '../../support/functions/functions.ts';

const [, , name = '', requests, events = '[]'] = process.argv;
setEnvironment();
const { handler } = await import(`../../../functions/${name}.ts`);
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

class Sink extends ResponseStream {
  override _write(_chunk: Buffer, _encoding: string, written: () => void): void {
    setImmediate(written);
  }
}

const heapAfterRequests = async (): Promise<number> => {
  const all = JSON.parse(events);
  for (let request = 0; request < Number(requests); request++) {
    const event = structuredClone(all[request % all.length]);
    await (name === 'list-inventory'
      ? stream(handler, event, 300_000, new Sink()).ended
      : handler(event, contextWith(300_000)));
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
