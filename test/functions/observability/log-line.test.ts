import { expect, jest, test } from '@jest/globals';
import { setEnvironment } from '../../support/functions/functions.ts';

setEnvironment();
const { logLine } = await import('../../../functions/observability/log-line.ts');

const directive = (dimensions: string[], ...names: string[]) => ({
  Namespace: 'PetstoreInventory',
  Dimensions: [dimensions],
  Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
});
const counted = (counts: object, ...more: object[]) => ({
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [directive(['Stage'], ...Object.keys(counts)), ...more],
  },
  ...{ Stage: 'staging', FunctionName: 'function', FunctionVersion: '7' },
  ...counts,
});

test('a line holds its metrics, the first also counts a cold start', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  logLine('INFO', { a: 1 }, { Lists: 1, EntriesListed: 0 });
  logLine('ERROR', {}, { Faults: 1, Updates: 1 }, ['Faults']);
  logLine('ERROR', {});
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();

  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const byVersion = directive(['FunctionName', 'FunctionVersion'], 'Faults');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { timestamp, level: 'INFO', a: 1, ...counted({ Lists: 1, EntriesListed: 0, ColdStarts: 1 }) },
    { timestamp, level: 'ERROR', ...counted({ Faults: 1, Updates: 1 }, byVersion) },
    { timestamp, level: 'ERROR' },
  ]);
  expect(lines.join('')).toMatch(/^(.*\n){3}$/);
});
