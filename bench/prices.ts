/**
 * Prints what the service costs: a request, a list by its length, and three months of a shop. See
 * price-list.ts for the prices.
 */
import { bills } from './month-cost.ts';
import { streamLimitBytes } from './price-list.ts';
import { gzipEntryBytes, keyCheck, list, plainEntryBytes, sumOf, update } from './request-cost.ts';

const fits = (bytes: number): string => (bytes <= streamLimitBytes ? 'yes' : 'no');

const listRow = (entries: number) => {
  const { cost, seconds, readUnits } = list(entries);
  const plain = fits(entries * plainEntryBytes);
  const gzip = fits(entries * gzipEntryBytes);
  return {
    entries: entries.toLocaleString('en'),
    'a list, $': sumOf(cost).toPrecision(2),
    'takes, s': seconds.toFixed(seconds < 1 ? 2 : 0),
    'read units': readUnits.toLocaleString('en'),
    'fits 200 MB': `plain ${plain}, gzip ${gzip}`,
  };
};

console.log(`A million updates: $${(sumOf(update) * 1e6).toFixed(2)}`);
console.log(`A million unknown keys: $${(sumOf(keyCheck) * 1e6).toFixed(2)}\n`);
console.table([1_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map(listRow));

console.log('\nA month of prod, $:');
console.table(bills());
