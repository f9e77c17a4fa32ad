import { petStatuses } from '../functions/inventory/item.ts';

/** A table whose entries are computed. */
export interface SyntheticTable {
  entries: number;
}

/**
 * Returns a table with this number of usual entries: every other petId is above 2^53, so that a
 * double cannot hold it.
 */
export const usualTable = (entries: number): SyntheticTable => ({ entries });

/** Returns the TableName by which a Scan means a synthetic table. */
export const tableName = ({ entries }: SyntheticTable): string => `usual-${entries}`;

export interface ScanInput {
  /** As `tableName` returns it. */
  TableName: string;
  Limit?: number;
  Segment?: number;
  TotalSegments?: number;
  ExclusiveStartKey?: { petId: { N: string } };
  /** Names of attributes, separated by commas. */
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
}

/**
 * The most entries of a page: DynamoDB returns up to 1 MB of items, and an inventory item takes
 * about 42 bytes.
 */
const entriesPerPage = 25_000;

const beyondExact = 2n ** 53n;

const petIdOf = (index: number): bigint => BigInt(index) + (index % 2 ? beyondExact : 0n);

const indexOf = (petId: string): number => Number(BigInt(petId) % beyondExact);

const itemOf = (index: number) => ({
  petId: { N: String(petIdOf(index)) },
  quantity: { N: String(index % 1000) },
  status: { S: petStatuses[index % petStatuses.length] },
});

const entryOf = (index: number): string =>
  `{"petId":${petIdOf(index)},"quantity":${index % 1000},"status":"${petStatuses[index % petStatuses.length]}"}`;

/** Returns which entries a Scan gets in one page, and whether the segment has more after it. */
const rangeOf = ({ TableName, ...input }: ScanInput) => {
  const { Limit = entriesPerPage, Segment = 0, TotalSegments = 1, ExclusiveStartKey } = input;
  const entries = Number(TableName.replace('usual-', ''));
  const border = (segment: number) => Math.floor((entries * segment) / TotalSegments);
  const segmentEnd = border(Segment + 1);
  const start = ExclusiveStartKey ? indexOf(ExclusiveStartKey.petId.N) + 1 : border(Segment);
  const end = Math.min(segmentEnd, start + Math.min(Limit, entriesPerPage));
  return { start, end, hasMore: end < segmentEnd };
};

/** Returns the attributes that a Scan asks for; undefined if it asks for all. */
const projectionOf = ({ ProjectionExpression, ExpressionAttributeNames = {} }: ScanInput) =>
  ProjectionExpression?.split(',').map((each) => {
    const name = each.trim();
    return ExpressionAttributeNames[name] ?? name;
  });

const pageOf = (input: ScanInput): Buffer => {
  const { start, end, hasMore } = rangeOf(input);
  const projection = projectionOf(input);
  const items = Array.from({ length: end - start }, (_, i) =>
    // JSON.stringify prints only the members whose names an array holds, here also N and S.
    JSON.stringify(itemOf(start + i), projection && [...projection, 'N', 'S']),
  );
  const lastKey = JSON.stringify({ petId: { N: String(petIdOf(end - 1)) } });
  const key = hasMore ? `,"LastEvaluatedKey":${lastKey}` : '';
  const counts = `"Count":${items.length},"ScannedCount":${items.length}`;
  return Buffer.from(`{${counts},"Items":[${items}]${key}}`);
};

/** The pages of the table that was last scanned, by the Scan's input. */
const cached = { TableName: '', pages: new Map<string, Buffer>() };

/** Returns DynamoDB's response to a Scan of a synthetic table. */
export const syntheticPage = (input: ScanInput): Buffer => {
  if (cached.TableName !== input.TableName) {
    cached.TableName = input.TableName;
    cached.pages.clear();
  }
  const name = JSON.stringify(input);
  const page = cached.pages.get(name) ?? pageOf(input);
  cached.pages.set(name, page);
  return page;
};

/**
 * Throws unless the text is a JSON list of every entry of the table, each exactly once and with
 * exact numbers.
 */
export const checkList = (list: string, { entries }: SyntheticTable): void => {
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
