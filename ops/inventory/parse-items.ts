import { parse } from 'csv-parse/sync';
import {
  type InventoryItem,
  isPetId,
  isPetStatus,
  isQuantity,
} from '../../functions/inventory/item.ts';
import { parseJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/errors.ts';

/** An entry of a file as texts, so that no digit is lost, and where it is: its line or number. */
interface Row {
  place: string;
  petId?: unknown;
  quantity?: unknown;
  status?: unknown;
}

/**
 * Returns the entries of a file, CSV or a JSON array, by petId.
 * @throws CliError that names everything that is wrong with it
 */
export const parseItems = (bytes: Uint8Array): Map<string, InventoryItem> => {
  const rows = rowsOf(textOf(bytes));
  const items = new Map<string, InventoryItem>();
  const problems: string[] = [];
  for (const row of rows) {
    const wrong = problemsOf(row);
    const petId = String(row.petId);
    if (items.has(petId)) {
      wrong.push(`petId ${petId} is there twice`);
    }
    if (wrong.length > 0) {
      problems.push(`${row.place}: ${wrong.join('; ')}.`);
    } else {
      items.set(petId, itemOf(row));
    }
  }
  if (problems.length > 0) {
    throw new CliError([...problems, 'Nothing was written.'].join('\n'));
  }
  return items;
};

const textOf = (bytes: Uint8Array): string => {
  try {
    // This drops a byte order mark, which Excel writes.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch (cause) {
    throw new CliError('The file is not text in UTF-8. Save it as CSV in UTF-8.', { cause });
  }
};

const rowsOf = (text: string): Row[] => {
  try {
    return text.startsWith('[') ? rowsOfJson(text) : rowsOfCsv(text);
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`The file is neither CSV nor a JSON array: ${message}`, { cause });
  }
};

const rowsOfCsv = (text: string): Row[] => {
  // The names of the columns hold no separator, so the first one separates them.
  const [delimiter = ','] = /[,;\t]/.exec(text) ?? [];
  if (text === '') {
    throw new Error('it is empty');
  }
  const parsed: { record: Omit<Row, 'place'>; info: { lines: number } }[] = parse(text, {
    delimiter,
    columns: columnsNamed,
    info: true,
    skip_empty_lines: true,
    trim: true,
  });
  return parsed.map(({ record, info }) => ({ ...record, place: `Line ${info.lines}` }));
};

const columns = ['petId', 'quantity', 'status'];

/** Returns the names of the columns, which may be in any order and in any case. */
const columnsNamed = (names: string[]): string[] => {
  const lowerCase = names.map((name) => name.toLowerCase());
  if (names.length !== 3 || !columns.every((name) => lowerCase.includes(name.toLowerCase()))) {
    throw new Error('as CSV, it must begin with the names of its columns, petId,quantity,status');
  }
  return lowerCase.map((name) => name.replace('petid', 'petId'));
};

const rowsOfJson = (text: string): Row[] => {
  const parsed = JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? source : value,
  ) as object[];
  return parsed.map((entry, index) => ({ ...entry, place: `Entry ${index + 1}` }));
};

const quantityOf = ({ quantity }: Row): unknown =>
  /^\d{1,16}$/.test(String(quantity)) ? parseJson(String(quantity)) : undefined;

const problemsOf = ({ place: _place, ...row }: Row): string[] => {
  const { petId, quantity, status, ...others } = row;
  const problems = Object.keys(others).map((name) => `there is no property ${name}`);
  if (!isPetId(String(petId))) {
    problems.push(`petId must be an int64 without leading zeros, not ${petId}`);
  }
  if (!isQuantity(quantityOf({ place: '', quantity }))) {
    problems.push(`quantity must be an integer from 0 to 9007199254740991, not ${quantity}`);
  }
  if (!isPetStatus(status)) {
    problems.push(`status must be available, pending or sold, not ${status}`);
  }
  return problems;
};

/** Returns a row without problems as an item. */
const itemOf = (row: Row): InventoryItem => ({
  petId: BigInt(String(row.petId)),
  quantity: quantityOf(row) as number,
  status: row.status as InventoryItem['status'],
});
