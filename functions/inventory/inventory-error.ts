export type InventoryErrorCode = 'invalid_pet_id' | 'invalid_body' | 'invalid_quantity' | 'pet_not_found';

/** What the domain refuses to do. The message is written for the client. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
  readonly code: InventoryErrorCode;

  constructor(code: InventoryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
