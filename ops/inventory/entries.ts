import { type InventoryItem, petStatuses } from '../../functions/inventory/inventory-item.ts';

/** Entries in memory: 21 bytes each in typed arrays, which objects would take ten times over. */
export class Entries {
  length = 0;
  #petIds = new BigInt64Array(1024);
  #quantities = new Float64Array(1024);
  #statuses = new Uint8Array(1024);
  #places = new Uint32Array(1024);

  /** `place` is where the entry stands in its file. */
  add({ petId, quantity, status }: InventoryItem, place = 0): void {
    if (this.length === this.#petIds.length) {
      this.#grow();
    }
    this.#petIds[this.length] = petId;
    this.#quantities[this.length] = quantity;
    this.#statuses[this.length] = petStatuses.indexOf(status);
    this.#places[this.length] = place;
    this.length += 1;
  }

  at(index: number): InventoryItem {
    const status = petStatuses[this.#statuses[index] ?? 0] ?? 'available';
    return { petId: this.petIdAt(index), quantity: this.#quantities[index] ?? 0, status };
  }

  petIdAt(index: number): bigint {
    return this.#petIds[index] ?? 0n;
  }

  placeAt(index: number): number {
    return this.#places[index] ?? 0;
  }

  /** Every index, in order of petId; equal ones in the order in which they were added. */
  inOrder(): Uint32Array {
    const petIds = this.#petIds;
    const order = new Uint32Array(this.length).map((_value, index) => index);
    return order.sort((a, b) => {
      const [left = 0n, right = 0n] = [petIds[a], petIds[b]];
      return left === right ? a - b : left < right ? -1 : 1;
    });
  }

  /** Keeps the first entry of each petId, and tells of the others. */
  removeDuplicates(report: (place: number, petId: bigint, firstPlace: number) => void): void {
    /** By index, where the first of the same petId stands; 0 for the first. */
    const firstPlaces = new Uint32Array(this.length);
    let previous: number | undefined;
    for (const index of this.inOrder()) {
      if (previous !== undefined && this.petIdAt(previous) === this.petIdAt(index)) {
        firstPlaces[index] = firstPlaces[previous] || this.placeAt(previous);
      }
      previous = index;
    }
    this.length = 0;
    for (const [index, firstPlace] of firstPlaces.entries()) {
      if (firstPlace > 0) {
        report(this.placeAt(index), this.petIdAt(index), firstPlace);
      } else {
        this.add(this.at(index), this.placeAt(index));
      }
    }
  }

  #grow(): void {
    const size = Math.ceil(this.length * 1.5);
    this.#petIds = new BigInt64Array(this.#petIds.buffer.transfer(size * 8));
    this.#quantities = new Float64Array(this.#quantities.buffer.transfer(size * 8));
    this.#statuses = new Uint8Array(this.#statuses.buffer.transfer(size));
    this.#places = new Uint32Array(this.#places.buffer.transfer(size * 4));
  }
}
