import { type InventoryItem, petStatuses } from '../../functions/inventory/inventory-item.ts';

/** An entry, and where it stands in its file. */
export type Entry = InventoryItem & { place: number };

/** Entries in memory: 21 bytes each in typed arrays, a tenth of what objects take. */
export class Entries {
  length = 0;
  #petIds = new BigInt64Array(1024);
  #quantities = new Float64Array(1024);
  #statuses = new Uint8Array(1024);
  #places = new Uint32Array(1024);

  add({ petId, quantity, status }: InventoryItem, place = 0): void {
    if (this.length === this.#petIds.length) {
      const size = Math.ceil(this.length * 1.5);
      this.#petIds = new BigInt64Array(this.#petIds.buffer.transfer(size * 8));
      this.#quantities = new Float64Array(this.#quantities.buffer.transfer(size * 8));
      this.#statuses = new Uint8Array(this.#statuses.buffer.transfer(size));
      this.#places = new Uint32Array(this.#places.buffer.transfer(size * 4));
    }
    this.#petIds[this.length] = petId;
    this.#quantities[this.length] = quantity;
    this.#statuses[this.length] = petStatuses.indexOf(status);
    this.#places[this.length] = place;
    this.length += 1;
  }

  at(index: number): Entry {
    const [petId = 0n, quantity = 0, place = 0] = [this.#petIds[index], this.#quantities[index], this.#places[index]];
    return { petId, quantity, status: petStatuses[this.#statuses[index] ?? 0] ?? 'available', place };
  }

  /** Every index, in order of petId; equal ones as they were added. */
  inOrder(): Uint32Array {
    const petIds = this.#petIds;
    const order = new Uint32Array(this.length).map((_value, index) => index);
    return order.sort((a, b) => {
      const [left = 0n, right = 0n] = [petIds[a], petIds[b]];
      return left === right ? a - b : left < right ? -1 : 1;
    });
  }

  /** Leaves the first entry of each petId, and tells of the others. */
  removeDuplicates(report: (entry: Entry, firstPlace: number) => void): void {
    const firstPlaces = new Uint32Array(this.length);
    let previous = -1;
    let duplicates = 0;
    for (const index of this.inOrder()) {
      if (previous >= 0 && this.#petIds[index] === this.#petIds[previous]) {
        firstPlaces[index] = firstPlaces[previous] || (this.#places[previous] ?? 0);
        duplicates += 1;
      }
      previous = index;
    }
    if (duplicates === 0) {
      return;
    }
    this.length = 0;
    for (const [index, first] of firstPlaces.entries()) {
      const entry = this.at(index);
      if (first > 0) {
        report(entry, first);
      } else {
        this.add(entry, entry.place);
      }
    }
  }
}
