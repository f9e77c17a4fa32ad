/**
 * The most entries of a page: DynamoDB returns up to 1 MB of items, and an inventory item takes
 * about 42 bytes.
 */
const entriesPerPage = 25_000;

const statuses = ['available', 'pending', 'sold'];

/**
 * What the entries of a table are like. `usual`: every other petId is odd and above 2^53, so that a
 * double cannot hold it. `long-ids`: all petIds have 19 digits. `odd-entries`: like `usual`, but
 * one entry of every page has an attribute that is not in the contract.
 */
export type TableShape = 'usual' | 'long-ids' | 'odd-entries';

/** A table whose entries are computed. */
export interface SyntheticTable {
  shape: TableShape;
  entries: number;
}

/** Returns the TableName by which a Scan means a synthetic table. */
export const tableName = ({ shape, entries }: SyntheticTable): string => `${shape}-${entries}`;

const tableNamed = (name: string): SyntheticTable => {
  const border = name.lastIndexOf('-');
  return {
    shape: name.slice(0, border) as TableShape,
    entries: Number(name.slice(border + 1)),
  };
};

const beyondExact = 2n ** 53n;
const nineteenDigits = 10n ** 18n;

const petIdOf = (index: number, shape: TableShape): bigint => {
  if (shape === 'long-ids') {
    return nineteenDigits + BigInt(index);
  }
  return BigInt(index) + (index % 2 ? beyondExact : 0n);
};

const indexOf = (petId: string, shape: TableShape): number =>
  Number(BigInt(petId) % (shape === 'long-ids' ? nineteenDigits : beyondExact));

/** Whether an entry is the odd one of its page. The list's pages have 5,000 entries. */
const isOdd = (index: number, { shape, entries }: SyntheticTable): boolean =>
  shape === 'odd-entries' && (index % 5_000 === 4_999 || index === entries - 1);

const itemOf = (index: number, table: SyntheticTable): string => {
  const attributes = [
    `"petId":{"N":"${petIdOf(index, table.shape)}"}`,
    `"quantity":{"N":"${index % 1000}"}`,
    `"status":{"S":"${statuses[index % 3]}"}`,
  ];
  if (isOdd(index, table)) {
    attributes.push('"note":{"S":"of the operators"}');
  }
  return `{${attributes}}`;
};

const entryOf = (index: number, { shape }: SyntheticTable): string => {
  const petId = petIdOf(index, shape);
  return `{"petId":${petId},"quantity":${index % 1000},"status":"${statuses[index % 3]}"}`;
};

export interface ScanInput {
  /** As `tableName` returns it. */
  TableName: string;
  Limit?: number;
  Segment?: number;
  TotalSegments?: number;
  ExclusiveStartKey?: { petId: { N: string } };
}

interface Range {
  start: number;
  end: number;
  /** Whether the segment has entries after this page. */
  hasMore: boolean;
}

/** Returns which entries a Scan gets in one page. */
const rangeOf = (input: ScanInput, { shape, entries }: SyntheticTable): Range => {
  const { Limit = entriesPerPage, Segment = 0, TotalSegments = 1, ExclusiveStartKey } = input;
  const border = (segment: number) => Math.floor((entries * segment) / TotalSegments);
  const segmentEnd = border(Segment + 1);
  const start = ExclusiveStartKey ? indexOf(ExclusiveStartKey.petId.N, shape) + 1 : border(Segment);
  const end = Math.min(segmentEnd, start + Math.min(Limit, entriesPerPage));
  return { start, end, hasMore: end < segmentEnd };
};

const pageOf = (table: SyntheticTable, { start, end, hasMore }: Range): Buffer => {
  const items = Array.from({ length: end - start }, (_, i) => itemOf(start + i, table));
  const lastKey = `{"petId":{"N":"${petIdOf(end - 1, table.shape)}"}}`;
  const key = hasMore ? `,"LastEvaluatedKey":${lastKey}` : '';
  const counts = `"Count":${items.length},"ScannedCount":${items.length}`;
  return Buffer.from(`{${counts},"Items":[${items}]${key}}`);
};

/** The pages of the table that was last scanned. */
const cached = { TableName: '', pages: new Map<string, Buffer>() };

/** Returns DynamoDB's response to a Scan of a synthetic table. */
export const syntheticPage = (input: ScanInput): Buffer => {
  if (cached.TableName !== input.TableName) {
    cached.TableName = input.TableName;
    cached.pages.clear();
  }
  const table = tableNamed(input.TableName);
  const range = rangeOf(input, table);
  const name = JSON.stringify(range);
  const page = cached.pages.get(name) ?? pageOf(table, range);
  cached.pages.set(name, page);
  return page;
};

/**
 * Throws unless the text is a JSON list of every entry of the table, each exactly once and with
 * exact numbers.
 */
export const checkList = (list: string, table: SyntheticTable): void => {
  const found = list.match(/\{[^}]*\}/g) ?? [];
  const unseen = new Set(found);
  for (let index = 0; index < table.entries; index++) {
    if (!unseen.delete(entryOf(index, table))) {
      throw new Error(`The list does not have ${entryOf(index, table)}`);
    }
  }
  if (found.length !== table.entries || list !== `[${found}]`) {
    throw new Error(
      `The list has ${found.length} entries for ${table.entries}, in ${list.length} characters.`,
    );
  }
};

/** Returns a table with this number of usual entries. */
export const usualTable = (entries: number): SyntheticTable => ({ shape: 'usual', entries });
