/** A page of DynamoDB holds 1 MB of items, and an item of the inventory takes some 42 bytes. */
const entriesPerPage = 25_000;

const statuses = ['available', 'pending', 'sold'];

const beyondExact = 2 ** 53;

/** The petId of an entry; every other one is beyond 2^53, odd, and so no number that a double can hold. */
const petIdOf = (index: number): bigint => BigInt(index) + (index % 2 ? BigInt(beyondExact) : 0n);
const indexOf = (petId: string): number => Number(BigInt(petId) % BigInt(beyondExact));

const itemOf = (index: number): string =>
  `{"petId":{"N":"${petIdOf(index)}"},"quantity":{"N":"${index % 1000}"},"status":{"S":"${statuses[index % 3]}"}}`;
const entryOf = (index: number): string =>
  `{"petId":${petIdOf(index)},"quantity":${index % 1000},"status":"${statuses[index % 3]}"}`;

export interface ScanInput {
  /** `entries-<number of entries>` */
  TableName: string;
  Limit?: number;
  Segment?: number;
  TotalSegments?: number;
  ExclusiveStartKey?: { petId: { N: string } };
}

const pages = new Map<string, Buffer>();

/** DynamoDB's response to a Scan of a table that has never been written. A page is made once. */
export const syntheticPage = (input: ScanInput): Buffer => {
  const { TableName, Limit = entriesPerPage, Segment = 0, TotalSegments = 1, ExclusiveStartKey } = input;
  const entries = Number(TableName.split('-').at(-1));
  const border = (segment: number) => Math.floor((entries * segment) / TotalSegments);
  const start = ExclusiveStartKey ? indexOf(ExclusiveStartKey.petId.N) + 1 : border(Segment);
  const end = Math.min(border(Segment + 1), start + Math.min(Limit, entriesPerPage));
  const key = end < border(Segment + 1) ? `,"LastEvaluatedKey":{"petId":{"N":"${petIdOf(end - 1)}"}}` : '';
  const name = `${start}-${end}${key}`;
  const itemsOf = () => Array.from({ length: end - start }, (_, i) => itemOf(start + i));
  const made = () => Buffer.from(`{"Count":${end - start},"ScannedCount":${end - start},"Items":[${itemsOf()}]${key}}`);
  const page = pages.get(name) ?? made();
  pages.set(name, page);
  return page;
};

/** Throws unless a text is the JSON of a list with every entry of the table, each once and exact. */
export const checkList = (list: string, entries: number): void => {
  const found = list.match(/\{[^}]*\}/g) ?? [];
  const unseen = new Set(found);
  for (let index = 0; index < entries; index++) {
    if (!unseen.delete(entryOf(index))) {
      throw new Error(`The list does not have ${entryOf(index)}`);
    }
  }
  if (found.length !== entries || list !== `[${found}]`) {
    throw new Error(`The list has ${found.length} entries for ${entries}, in ${list.length} characters.`);
  }
};
