/**
 * A process that loads a function, hands it events over and over, twice as often as it is told, and prints the bytes by
 * which its heap grew over the second half, and its peak memory in MiB.
 *
 * usage: node --expose-gc memory-of.ts FUNCTION REQUESTS EVENTS
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { contextWith, ResponseStream, setEnvironment, stream } from './functions.ts';

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
  // What has ended just now is let go of only when its callbacks have run.
  await sleep(300);
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

// By then the code is compiled and the caches are full.
const before = await heapAfterRequests();
const growth = (await heapAfterRequests()) - before;
print(JSON.stringify({ growth, peak: process.resourceUsage().maxRSS / 1024 }));
process.exit();
