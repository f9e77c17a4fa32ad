/** A line of a log as Logs Insights sees it: its text, and what CloudWatch knows about it. */
export interface LogLine {
  '@timestamp': number;
  '@message': string;
  '@log': string;
}

export type Row = Record<string, unknown>;

/**
 * Runs a query on the lines of a log. Knows those parts of the language that the saved queries use
 * (fields, filter, stats, sort, limit), and throws at all others.
 */
export const runQuery = (query: string, lines: LogLine[]): Row[] => {
  const commands = commandsOf(query);
  const rows = commands.reduce(
    (before, command) => run(command, before),
    lines.map(discoverFields),
  );
  const [, columns] = /^fields\s+(.+)$/s.exec(commands[0] ?? '') ?? [];
  return columns === undefined ? rows : rows.map((row) => pick(columns.split(/,\s*/), row));
};

const pick = (columns: string[], row: Row): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

/** Returns the fields of log lines that a query names, without those that it makes itself. */
export const fieldsOf = (query: string): string[] => {
  const withoutTexts = query.replaceAll(/"[^"]*"/g, '');
  const made = new Set(withoutTexts.match(/(?<= as )\w+/g));
  const words = withoutTexts.match(/(?<![\w.@])@?[a-zA-Z][\w.]*(?!\w*\()/g) ?? [];
  return [...new Set(words)].filter((word) => !keywords.has(word) && !made.has(word));
};

const keywords = new Set(
  'fields filter stats sort limit by as and or desc count pct ispresent'.split(' '),
);

const commandsOf = (query: string): string[] => query.split('|').map((command) => command.trim());

/** Returns the members of a JSON line, nested ones as `record.status`, and the line's own. */
export const discoverFields = (line: LogLine): Row => ({
  ...flatten(JSON.parse(line['@message'])),
  ...line,
});

const flatten = (object: object, prefix = ''): Row =>
  Object.entries(object).reduce<Row>((row, [name, value]) => {
    const isNested = typeof value === 'object' && value !== null;
    return isNested
      ? Object.assign(row, flatten(value, `${prefix}${name}.`))
      : Object.assign(row, { [prefix + name]: value });
  }, {});

const run = (command: string, rows: Row[]): Row[] => {
  const [, name = '', rest = ''] = /^(\w+)\s+(.+)$/s.exec(command) ?? [];
  switch (name) {
    case 'fields':
      // Only the columns of the result. The other fields can still be filtered and sorted by.
      return rows;
    case 'filter':
      return rows.filter((row) => matches(rest, row));
    case 'sort':
      return sort(rest, rows);
    case 'stats':
      return stats(rest, rows);
    case 'limit':
      return rows.slice(0, Number(rest));
    default:
      throw new Error(`Unknown command: ${command}`);
  }
};

const matches = (condition: string, row: Row): boolean => {
  const tokens = condition.match(/"[^"]*"|[()]|!=|>=|=|[\w.@]+/g) ?? [];
  const result = parseOr(tokens, row);
  if (tokens.length > 0) {
    throw new Error(`Not understood: ${tokens.join(' ')}`);
  }
  return result;
};

const parseOr = (tokens: string[], row: Row): boolean => {
  let result = parseAnd(tokens, row);
  while (tokens[0] === 'or') {
    tokens.shift();
    const next = parseAnd(tokens, row);
    result ||= next;
  }
  return result;
};

const parseAnd = (tokens: string[], row: Row): boolean => {
  let result = parseCondition(tokens, row);
  while (tokens[0] === 'and') {
    tokens.shift();
    const next = parseCondition(tokens, row);
    result &&= next;
  }
  return result;
};

const parseCondition = (tokens: string[], row: Row): boolean => {
  const first = tokens.shift() ?? '';
  if (first === '(') {
    const result = parseOr(tokens, row);
    tokens.shift();
    return result;
  }
  if (first === 'ispresent') {
    const [, field = ''] = tokens.splice(0, 3);
    return row[field] !== undefined;
  }
  const [operator = '', literal = ''] = tokens.splice(0, 2);
  return compare(row[first], operator, literal.replaceAll('"', ''));
};

/** Compares as numbers if both are; the access log has numbers as texts. */
const compare = (value: unknown, operator: string, literal: string): boolean => {
  if (value === undefined) {
    return false;
  }
  switch (operator) {
    case '=':
      return String(value) === literal;
    case '!=':
      return String(value) !== literal;
    case '>=':
      return Number(value) >= Number(literal);
    default:
      throw new Error(`Unknown operator: ${operator}`);
  }
};

const sort = (order: string, rows: Row[]): Row[] => {
  const [, field = ''] = /^([\w.@]+) desc$/.exec(order) ?? [];
  return rows.toSorted((a, b) => Number(b[field]) - Number(a[field]));
};

/** Groups the rows by some fields, and computes the aggregates of each group. */
const stats = (text: string, rows: Row[]): Row[] => {
  const [aggregates = '', by = ''] = text.split(/\s+by\s+/);
  const fields = by.split(/,\s*/);
  const groups = Map.groupBy(rows, (row) => JSON.stringify(fields.map((field) => row[field])));
  return [...groups.values()].map((group) => ({
    ...Object.fromEntries(fields.map((field) => [field, group[0]?.[field]])),
    ...aggregatesOf(aggregates, group),
  }));
};

const aggregatesOf = (text: string, group: Row[]): Row => {
  const parts = text.matchAll(/(?:count\(\*\)|pct\(([\w.]+), (\d+)\)) as (\w+)/g);
  return Object.fromEntries(
    [...parts].map(([, field, percent, name]) => [
      name,
      field === undefined ? group.length : percentile(group, field, Number(percent)),
    ]),
  );
};

/** Returns the smallest value that so many percent of the values do not exceed. */
const percentile = (group: Row[], field: string, percent: number): number | undefined => {
  const values = group.map((row) => Number(row[field])).filter((value) => !Number.isNaN(value));
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1];
};
