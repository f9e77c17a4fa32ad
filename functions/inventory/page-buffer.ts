import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/**
 * Holds the unparsed body of one response at a time, outside of V8's heap. The buffer is reused: a
 * new one for every page would fragment the memory of the process, which then takes a fifth more.
 */
export class PageBuffer {
  #bytes = Buffer.allocUnsafeSlow(512 * 1024);
  #length = 0;

  async fill(body: Readable): Promise<void> {
    this.#length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const length = this.#length + chunk.length;
      if (length > this.#bytes.length) {
        this.#bytes = Buffer.concat([this.#bytes], 2 * length);
      }
      chunk.copy(this.#bytes, this.#length);
      this.#length = length;
    }
  }

  crc32(): number {
    return crc32(this.#bytes.subarray(0, this.#length));
  }

  text(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }
}
