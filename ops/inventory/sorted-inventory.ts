import { paginateScan } from '@aws-sdk/client-dynamodb';
import { type InventoryItem, petStatuses } from '../../functions/inventory/inventory-item.ts';
import { CliError } from '../cli/cli-error.ts';
import type { Table } from '../stage/stage.ts';
import { storedItem } from './stored-item.ts';

/** A whole inventory in order of petId, in typed arrays: about 25 bytes an entry while it is sorted. */
export class SortedInventory {
  length = 0;
  #petIds = new BigInt64Array(1024);
  #quantities = new Float64Array(1024);
  #statuses = new Uint8Array(1024);
  #order = new Uint32Array();

  /** Reads the table; `onPage` is called now and then. */
  async load({ client, TableName }: Table, onPage: () => void): Promise<void> {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      for (const item of Items) {
        this.#add(storedItem(item));
      }
      onPage();
    }
    const petIds = this.#petIds;
    this.#order = new Uint32Array(this.length).map((_value, i) => i);
    this.#order.sort((a, b) => ((petIds[a] ?? 0n) < (petIds[b] ?? 0n) ? -1 : 1));
  }

  *items(): Generator<InventoryItem> {
    for (const i of this.#order) {
      const status = petStatuses[this.#statuses[i] ?? 0] ?? 'available';
      yield { petId: this.#petIds[i] ?? 0n, quantity: this.#quantities[i] ?? 0, status };
    }
  }

  #add({ petId, quantity, status }: InventoryItem): void {
    if (!Number.isSafeInteger(quantity) || quantity < 0 || !petStatuses.includes(status)) {
      throw new CliError(
        'invalid',
        `petId ${petId} has no valid quantity or status in the table. Remove or import it.`,
      );
    }
    if (this.length === this.#petIds.length) {
      this.#grow();
    }
    this.#petIds[this.length] = petId;
    this.#quantities[this.length] = quantity;
    this.#statuses[this.length] = petStatuses.indexOf(status);
    this.length += 1;
  }

  #grow(): void {
    const size = this.length * 2;
    this.#petIds = new BigInt64Array(this.#petIds.buffer.transfer(size * 8));
    this.#quantities = new Float64Array(this.#quantities.buffer.transfer(size * 8));
    this.#statuses = new Uint8Array(this.#statuses.buffer.transfer(size));
  }
}
