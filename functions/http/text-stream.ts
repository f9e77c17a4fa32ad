import { Readable } from 'node:stream';

/**
 * A stream of the texts that a source yields, asked for one at a time. The source's signal aborts when the
 * stream ends, in whatever way. (Readable.from would first wait for what the source is waiting for.)
 */
export const textStream = (source: (signal: AbortSignal) => AsyncIterator<string>): Readable => {
  const reading = new AbortController();
  const texts = source(reading.signal);
  return new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      texts.next().then(
        ({ value, done }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      reading.abort();
      callback(error);
    },
  });
};
