/**
 * Holds the body of one response at a time, outside of V8's heap. It can be reused: a new one for
 * every page of a list would fragment the memory of the process, which then takes 100 MiB more.
 */
export class ResponseBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** What was appended since the buffer was cleared; valid until it is cleared again. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }
}
