import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/**
 * Holds the body of one response of DynamoDB at a time, unparsed: an eighth of what its objects take.
 * It is used again and again, because a new buffer for every page fragments the memory of the process.
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

  json(): unknown {
    return JSON.parse(this.#bytes.toString('utf8', 0, this.#length));
  }
}
