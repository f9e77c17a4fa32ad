import { styleText } from 'node:util';
import { textTable } from '../cli/text-table.ts';
import type { KeySummary } from './key-summary.ts';

const head = ['ID', 'NAME', 'STATE', 'CREATED', 'ENDS', 'REPLACED BY'];
const flexible = head.indexOf('NAME');
const width = 100;

/** Returns the time at which a key ends or has ended, null for an end that is not in sight. */
const endOf = ({ state, expires, revoked }: KeySummary): string | null =>
  state === 'revoked' ? revoked : expires;

const dateOf = (time: string | null): string | undefined => time?.replace(/T.*/, '');

const rowOf = (key: KeySummary): string[] => {
  const cells = [key.id, key.name, key.state, dateOf(key.created), endOf(key), key.replacedBy];
  return cells.map((cell) => cell ?? '-');
};

/** Returns a table of keys, at most 100 columns wide. Colors set off those that have ended. */
export const keyTable = (keys: KeySummary[], hasColors: boolean): string => {
  const [first, ...lines] = textTable({ head, rows: keys.map(rowOf), width, flexible });
  const colored = lines.map((line, index) => {
    const isActive = keys[index]?.state === 'active';
    return isActive || !hasColors ? line : styleText('gray', line, { validateStream: false });
  });
  return [first, ...colored].join('\n');
};
