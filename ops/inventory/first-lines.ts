/**
 * In which line each petId came first: a hash table in typed arrays, of 24 to 48 bytes a petId. A Map takes up to
 * four times as much while it grows, all of it to be looked through by the garbage collector again and again.
 */
export class FirstLines {
  #petIds = new BigInt64Array(1024);
  /** 0 for a free place. */
  #lines = new Uint32Array(1024);
  #size = 0;

  /** The line that the petId was in before; undefined if this is its first. */
  add(petId: bigint, line: number): number | undefined {
    const place = this.#placeOf(petId);
    if (this.#lines[place]) {
      return this.#lines[place];
    }
    this.#petIds[place] = petId;
    this.#lines[place] = line;
    this.#size += 1;
    if (this.#size * 2 > this.#lines.length) {
      this.#grow();
    }
    return undefined;
  }

  /** The place of the petId, or the free one that is to be its own. */
  #placeOf(petId: bigint): number {
    const mask = this.#lines.length - 1;
    const low = Number(BigInt.asIntN(32, petId));
    const high = Number(petId >> 32n);
    // Mixes all bits, so that neither neighbours nor petIds that differ in one half alone pile up.
    const mixed = Math.imul(Math.imul(low ^ (low >>> 15), 0x2c1b3c6d) ^ high, 0x297a2d39);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    while (this.#lines[place] !== 0 && this.#petIds[place] !== petId) {
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    const petIds = this.#petIds;
    const lines = this.#lines;
    this.#petIds = new BigInt64Array(petIds.length * 2);
    this.#lines = new Uint32Array(lines.length * 2);
    for (const [i, line] of lines.entries()) {
      if (line !== 0) {
        const place = this.#placeOf(petIds[i] ?? 0n);
        this.#petIds[place] = petIds[i] ?? 0n;
        this.#lines[place] = line;
      }
    }
  }
}
