import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { CsvError, parse } from 'csv-parse/sync';
import {
  type InventoryItem,
  isPetId,
  isPetStatus,
  isQuantity,
  type PetStatus,
  petStatuses,
  quantityRange,
} from '../../functions/inventory/item.ts';
import { CliError, listed } from '../cli/errors.ts';
import { type Terminal, tell, withoutKeys } from '../cli/terminal.ts';

/** What the columns hold: how a message says it, and whether a text is so. */
export const columns = {
  petId: { rule: 'an int64 in digits without leading zeros', isValid: isPetId },
  quantity: {
    rule: `${quantityRange}, in digits without leading zeros`,
    // Programs such as pandas write whole numbers as 7.0 if the column has a gap. 12.000 is twelve
    // thousand in many countries.
    isValid: (text: string) => /^(0|[1-9]\d*)(\.0)?$/.test(text) && isQuantity(Number(text)),
  },
  status: {
    rule: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(petStatuses),
    isValid: isPetStatus,
  },
};

export const names = Object.keys(columns) as (keyof typeof columns)[];

/** The texts of a row by column, and where it stands. In JSON, it may be no object. */
interface Row {
  place: string;
  values: Record<string, unknown> | undefined;
}

/**
 * Returns the entries of a file: CSV whose first line names the columns, or JSON as the API sends it.
 * @param file its path, or `-` for standard input
 * @throws CliError that names what is wrong, and where
 */
export const readItems = async (terminal: Terminal, file: string): Promise<InventoryItem[]> => {
  const bytes = await buffer(file === '-' ? terminal.stdin : createReadStream(file));
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new CliError('The file is not text in UTF-8. Save it as CSV in UTF-8.');
  }
  const items = parseItems(new TextDecoder().decode(bytes));
  if (areRounded(items)) {
    tell(
      terminal,
      'Warning: all petIds of more than 15 digits end in zeros. A spreadsheet may have rounded ' +
        'them to those of other pets: compare them with their source.',
    );
  }
  return items;
};

/** @throws CliError that names what is wrong, and where */
export const parseItems = (text: string): InventoryItem[] => {
  if (!/[^,;"\s]/.test(text)) {
    throw new CliError('The file is empty.');
  }
  return itemsOf(/^\s*[[{]/.test(text) ? rowsOfJson(text) : rowsOfCsv(text));
};

const rowsOfCsv = (text: string): Row[] => {
  // Before the names, there may be blank rows.
  const [delimiter = ','] = /[,;\t]/.exec(text.replace(/^[,;\s]+/, '')) ?? [];
  try {
    return parse(text, {
      columns: columnsOf,
      delimiter,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (values, { lines }) => ({ place: `Line ${lines}`, values }),
    }) as unknown as Row[];
  } catch (error) {
    if (error instanceof CsvError) {
      throw new CliError(`${error.message}.\nNothing was written.`, { cause: error });
    }
    throw error;
  }
};

/**
 * Returns the columns that the first line of CSV names, in any case. Others may be blank.
 * @throws CliError unless it names each once, and nothing else
 */
const columnsOf = (heads: string[]): string[] => {
  const nameOf = (head: string) => names.find((name) => name.toLowerCase() === head.toLowerCase());
  const found = heads.filter((head) => head !== '').map(nameOf);
  if (found.length !== names.length || !names.every((name) => found.includes(name))) {
    throw new CliError(
      `The file is neither JSON nor CSV whose first line names just ${names.join(', ')}.`,
    );
  }
  return heads.map((head, index) => nameOf(head) ?? `column ${index + 1}`);
};

/** Reads an array, or an object on each line. */
const rowsOfJson = (text: string): Row[] => {
  if (/^\s*\[/.test(text)) {
    const values = parseJson(text, 'The file') as unknown[];
    return values.map((value, index) => rowOf(`Entry ${index + 1}`, value));
  }
  return text.split('\n').flatMap((line, index) => {
    const place = `Line ${index + 1}`;
    return line.trim() === '' ? [] : [rowOf(place, parseJson(line, place))];
  });
};

const rowOf = (place: string, value: unknown): Row => ({
  place,
  values: isObject(value) ? value : undefined,
});

/**
 * Parses JSON. Numbers become their texts, so that no digit is lost.
 * @param what the text is, as the beginning of a sentence
 */
const parseJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text, (_key, value, { source }) =>
      typeof value === 'number' ? source : value,
    );
  } catch (cause) {
    // V8 says where. Of a text that is one line, the line would be told twice.
    const message = (cause as Error).message.replace(/ \(line 1 .*\)$/, '');
    throw new CliError(`${what} is not valid JSON: ${message}\nNothing was written.`, { cause });
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const itemsOf = (rows: Row[]): InventoryItem[] => {
  const places = new Map<unknown, string>();
  const problems = rows.flatMap(({ place, values }) => {
    if (values === undefined) {
      return [`${place} is no object.`];
    }
    const earlier = places.get(values.petId)?.toLowerCase();
    const found = earlier ? [`petId ${values.petId} is already in ${earlier}`] : problemsOf(values);
    if (found.length === 0) {
      places.set(values.petId, place);
    }
    return found.map((problem) => `${place}: ${problem}.`);
  });
  if (problems.length > 0) {
    throw new CliError(`${listed(problems)}\nNothing was written.`);
  }
  return rows.map(({ values }) => ({
    petId: BigInt(values?.petId as string),
    quantity: Number(values?.quantity),
    status: values?.status as PetStatus,
  }));
};

const problemsOf = (values: Record<string, unknown>): string[] => {
  const wrong = names.filter((name) => {
    const value = values[name];
    return typeof value !== 'string' || !columns[name].isValid(value);
  });
  const others = Object.keys(values).filter(
    (name) => !(names as string[]).includes(name) && values[name] !== '',
  );
  return [
    ...wrong.map((name) => `${name} must be ${columns[name].rule}, not ${shown(values[name])}`),
    ...others.map((name) => `${shown(name)} is none of ${names.join(', ')}`),
  ];
};

/** Returns a value as a message shows it: without keys, which half of one would still be. */
const shown = (value: unknown): string =>
  withoutKeys(JSON.stringify(value) ?? 'missing').slice(0, 60);

/** Whether a spreadsheet, which keeps 15 digits, has probably rounded the petIds. */
const areRounded = (items: InventoryItem[]): boolean => {
  const digits = items.map(({ petId }) => String(petId).replace('-', ''));
  const long = digits.filter((each) => each.length > 15);
  return long.length > 0 && long.every((each) => /^0+$/.test(each.slice(15)));
};
