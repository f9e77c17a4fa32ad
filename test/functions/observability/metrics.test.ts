import { expect, jest, test } from '@jest/globals';
import { setEnvironment } from '../../support/functions.ts';

setEnvironment();
const { embeddedMetrics } = await import('../../../functions/observability/metrics.ts');
const { logLine } = await import('../../../functions/observability/log-line.ts');

const directive = (dimensions: string[], ...names: string[]) => ({
  Namespace: 'PetstoreInventory',
  Dimensions: [dimensions],
  Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
});
const metrics = (counts: object, ...CloudWatchMetrics: object[]) => ({
  _aws: { Timestamp: expect.any(Number), CloudWatchMetrics },
  Stage: 'staging',
  FunctionName: 'function',
  FunctionVersion: '7',
  ...counts,
});

test('faults are counted for the stage and for the version, everything else for the stage', () => {
  const byVersion = directive(['FunctionName', 'FunctionVersion'], 'Faults');
  const faults = { Faults: 1, Updates: 1 };
  expect(embeddedMetrics(faults)).toEqual(metrics(faults, directive(['Stage'], 'Faults', 'Updates'), byVersion));
  expect(embeddedMetrics({})).toEqual({});
});

test('the first line of an instance counts its start', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  logLine('INFO', { a: 1 }, { Lists: 1, EntriesListed: 0 });
  logLine('ERROR', {});
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();

  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const counts = { Lists: 1, EntriesListed: 0, ColdStarts: 1 };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { timestamp, level: 'INFO', a: 1, ...metrics(counts, directive(['Stage'], ...Object.keys(counts))) },
    { timestamp, level: 'ERROR' },
  ]);
  expect(lines.join('')).toMatch(/^.*\n.*\n$/);
});
