import type { InventoryItem } from '../functions/inventory/inventory-item.ts';

/** What a local run without data of its own starts with; both ends of int64 among it. */
export const sampleInventory: InventoryItem[] = [
  { petId: 1n, quantity: 12, status: 'available' },
  { petId: 2n, quantity: 3, status: 'pending' },
  { petId: 3n, quantity: 0, status: 'sold' },
  { petId: 42n, quantity: 9007199254740991, status: 'available' },
  { petId: 9007199254740993n, quantity: 5, status: 'available' },
  { petId: 9223372036854775807n, quantity: 1, status: 'available' },
  { petId: -9223372036854775808n, quantity: 1, status: 'pending' },
];
