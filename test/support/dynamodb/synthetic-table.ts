/**
 * The most entries of a page: DynamoDB returns up to 1 MB of items, and an inventory item takes
 * about 42 bytes.
 */
const entriesPerPage = 25_000;

const statuses = ['available', 'pending', 'sold'];

const beyondExact = 2 ** 53;

/**
 * Returns the petId of an entry. Every other petId is odd and above 2^53, so that a double cannot
 * hold it.
 */
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

/**
 * Returns DynamoDB's response to a Scan of a table whose entries are computed. Pages are cached.
 */
export const syntheticPage = (input: ScanInput): Buffer => {
  const {
    TableName,
    Limit = entriesPerPage,
    Segment = 0,
    TotalSegments = 1,
    ExclusiveStartKey,
  } = input;
  const entries = Number(TableName.split('-').at(-1));
  const border = (segment: number) => Math.floor((entries * segment) / TotalSegments);
  const start = ExclusiveStartKey ? indexOf(ExclusiveStartKey.petId.N) + 1 : border(Segment);
  const end = Math.min(border(Segment + 1), start + Math.min(Limit, entriesPerPage));
  const key =
    end < border(Segment + 1) ? `,"LastEvaluatedKey":{"petId":{"N":"${petIdOf(end - 1)}"}}` : '';
  const name = `${start}-${end}${key}`;
  const itemsOf = () => Array.from({ length: end - start }, (_, i) => itemOf(start + i));
  const made = () =>
    Buffer.from(
      `{"Count":${end - start},"ScannedCount":${end - start},"Items":[${itemsOf()}]${key}}`,
    );
  const page = pages.get(name) ?? made();
  pages.set(name, page);
  return page;
};

/**
 * Throws unless the text is a JSON list of every entry of the table, each exactly once and with
 * exact numbers.
 */
export const checkList = (list: string, entries: number): void => {
  const found = list.match(/\{[^}]*\}/g) ?? [];
  const unseen = new Set(found);
  for (let index = 0; index < entries; index++) {
    if (!unseen.delete(entryOf(index))) {
      throw new Error(`The list does not have ${entryOf(index)}`);
    }
  }
  if (found.length !== entries || list !== `[${found}]`) {
    throw new Error(
      `The list has ${found.length} entries for ${entries}, in ${list.length} characters.`,
    );
  }
};
