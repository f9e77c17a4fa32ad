/**
 * Requests a list, and prints by how many bytes that which the process holds has grown between the
 * first half of the list and the second one. Each is the least of some looks, right after a
 * collection: neither depends on when the engine collects garbage, nor on how many pages it is ahead.
 *
 * usage: node --expose-gc growth-of-list.ts ENCODING
 */
import {
  eventOf,
  ResponseStream,
  setEnvironment,
  stream,
} from '../../support/functions/functions.ts';

const [, , encoding = ''] = process.argv;
setEnvironment();
const { handler } = await import('../../../functions/list-inventory.ts');
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const looks: number[] = [];

/** Drops what it gets, and looks after every tenth chunk. */
class Sink extends ResponseStream {
  #chunks = 0;

  override _write(_chunk: Buffer, _encoding: string, written: () => void): void {
    this.#chunks += 1;
    if (this.#chunks % 10 === 0) {
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      looks.push(heapUsed + external);
    }
    setImmediate(written);
  }
}

const event = eventOf({ headers: { 'Accept-Encoding': [encoding] } });
const { response, ended } = stream(handler, event, 300_000, new Sink());
await ended;
if (response.metadata?.statusCode !== 200 || looks.length < 10) {
  throw new Error(`The list was not sent: ${JSON.stringify(response.metadata)}`);
}
const middle = Math.floor(looks.length / 2);
const [before, after] = [looks.slice(0, middle), looks.slice(middle)];
print(String(Math.min(...after) - Math.min(...before)));
process.exit();
