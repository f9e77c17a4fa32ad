import { expect, test } from '@jest/globals';
import { setEnvironment } from '../../support/functions.ts';

setEnvironment();
const { embeddedMetrics } = await import('../../../functions/observability/metrics.ts');

test('faults are counted for the stage and for the version, everything else for the stage', () => {
  const directive = (dimensions: string[], ...names: string[]) => ({
    Namespace: 'PetstoreInventory',
    Dimensions: [dimensions],
    Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
  });
  const line = (counts: object, ...CloudWatchMetrics: object[]) => ({
    _aws: { Timestamp: expect.any(Number), CloudWatchMetrics },
    Stage: 'staging',
    FunctionName: 'function',
    FunctionVersion: '7',
    ...counts,
  });
  const lists = { Lists: 1, EntriesListed: 0 };
  const faults = { Faults: 1, ColdStarts: 1 };
  const byVersion = directive(['FunctionName', 'FunctionVersion'], 'Faults');

  expect([{}, lists, faults].map(embeddedMetrics)).toEqual([
    {},
    line(lists, directive(['Stage'], 'Lists', 'EntriesListed')),
    line(faults, directive(['Stage'], 'Faults', 'ColdStarts'), byVersion),
  ]);
});
