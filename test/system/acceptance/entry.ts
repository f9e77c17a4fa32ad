/** An entry of a list. Its integers are exact. */
export interface Entry {
  petId: bigint;
  quantity: bigint;
  status: string;
}
