import { expect, test } from '@jest/globals';

test('faults are counted for the stage and for the version, everything else for the stage', async () => {
  Object.assign(process.env, {
    STAGE_NAME: 'staging',
    AWS_LAMBDA_FUNCTION_NAME: 'list',
    AWS_LAMBDA_FUNCTION_VERSION: '7',
  });
  const { embeddedMetrics } = await import('../../../functions/observability/metrics.ts');
  const directive = (dimensions: string[], ...names: string[]) => ({
    Namespace: 'PetstoreInventory',
    Dimensions: [dimensions],
    Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
  });
  const line = (counts: object, ...CloudWatchMetrics: object[]) => ({
    _aws: { Timestamp: expect.any(Number), CloudWatchMetrics },
    Stage: 'staging',
    FunctionName: 'list',
    FunctionVersion: '7',
    ...counts,
  });

  expect(embeddedMetrics({})).toEqual({});
  expect(embeddedMetrics({ Lists: 1, EntriesListed: 0 })).toEqual(
    line({ Lists: 1, EntriesListed: 0 }, directive(['Stage'], 'Lists', 'EntriesListed')),
  );
  expect(embeddedMetrics({ Faults: 1, ColdStarts: 1 })).toEqual(
    line(
      { Faults: 1, ColdStarts: 1 },
      directive(['Stage'], 'Faults', 'ColdStarts'),
      directive(['FunctionName', 'FunctionVersion'], 'Faults'),
    ),
  );
});
