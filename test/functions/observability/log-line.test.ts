import { expect, jest, test } from '@jest/globals';
import { setEnvironment } from '../../support/functions.ts';

setEnvironment();
const { errorFields, logLine } = await import('../../../functions/observability/log-line.ts');

const directive = (dimensions: string[], ...names: string[]) => ({
  Namespace: 'PetstoreInventory',
  Dimensions: [dimensions],
  Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
});
const counted = (counts: object, ...more: object[]) => ({
  _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: [directive(['Stage'], ...Object.keys(counts)), ...more] },
  ...{ Stage: 'staging', FunctionName: 'function', FunctionVersion: '7' },
  ...counts,
});

test('a line holds its metrics; the first line also counts a cold start, and faults are counted by version too', () => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  logLine('INFO', { a: 1 }, { Lists: 1, EntriesListed: 0 });
  logLine('ERROR', {}, { Faults: 1, Updates: 1 });
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

test('an error is logged with the details that DynamoDB gives, and with its causes', () => {
  const throttlingReasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'table' }];
  const cause = Object.assign(new Error('slow down'), { $metadata: { requestId: 'id' }, throttlingReasons });
  const stack = expect.any(String);
  const ofDynamodb = { dynamodbRequestId: 'id', throttlingReasons };
  expect(errorFields(new TypeError('failed', { cause }))).toEqual({
    ...{ errorType: 'TypeError', errorMessage: 'failed', stack },
    cause: { errorType: 'Error', errorMessage: 'slow down', ...ofDynamodb, stack },
  });
});
