/**
 * Loads a function and calls it with the events in turn, REQUESTS times to warm up and as often to
 * measure. Prints JSON: the bytes by which the heap grew over the second half, and the peak memory
 * of the process in MiB.
 *
 * usage: node --expose-gc memory-of.ts FUNCTION REQUESTS EVENTS
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  contextWith,
  ResponseStream,
  setEnvironment,
  stream,
} from '../support/functions/functions.ts';

const [, , name = '', requests, events = '[]'] = process.argv;
setEnvironment();
const { handler } = await import(`../../functions/${name}.ts`);
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

// The first half compiles the code and fills the caches.
const before = await heapAfterRequests();
const growth = (await heapAfterRequests()) - before;
print(JSON.stringify({ growth, peak: process.resourceUsage().maxRSS / 1024 }));
process.exit();
