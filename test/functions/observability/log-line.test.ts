import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { expect, jest, test } from '@jest/globals';
import {
  captureLog,
  errorFields,
  everyLine,
  metrics,
} from '../../support/functions/capture-log.ts';
import { setEnvironment } from '../../support/functions/functions.ts';

setEnvironment();
const { ApiError } = await import('../../../functions/errors/api-error.ts');
const { TransientError } = await import('../../../functions/dynamodb/failures.ts');
const { logFault } = await import('../../../functions/observability/log-fault.ts');
const { stopwatch } = await import('../../../functions/shared/stopwatch.ts');

const log = captureLog();

test('a line holds its metrics, and is of the moment when it is written', async () => {
  const { logLine } = await import('../../../functions/observability/log-line.ts');
  jest.useFakeTimers({ now: Date.UTC(2040, 0, 2) });
  logLine('INFO', { a: 1 }, { EntriesListed: 0 });
  jest.setSystemTime(Date.UTC(2040, 0, 3));
  logLine('ERROR', {}, { EntriesListed: 2, Faults: 1 });
  logLine('ERROR', {});
  jest.useRealTimers();

  const error = { ...everyLine, level: 'ERROR' };
  expect(log).toStrictEqual([
    { ...everyLine, a: 1, ...metrics({ EntriesListed: 0 }) },
    { ...error, ...metrics({ EntriesListed: 2 }, { Faults: 1 }) },
    error,
  ]);
  expect(log.map(({ timestamp, _aws }) => [timestamp, _aws?.Timestamp])).toStrictEqual([
    ['2040-01-02T00:00:00.000Z', Date.UTC(2040, 0, 2)],
    ['2040-01-03T00:00:00.000Z', Date.UTC(2040, 0, 3)],
    ['2040-01-03T00:00:00.000Z', undefined],
  ]);
  const written = jest.mocked(process.stdout.write).mock.calls.slice(-3);
  expect(written.join('')).toMatch(/^(.*\n){3}$/);
});

test('a stopwatch gives whole milliseconds', () => {
  const uptime = jest.spyOn(process, 'uptime').mockReturnValue(7);
  const elapsed = stopwatch();
  uptime.mockReturnValue(8.2344);
  expect(elapsed()).toBe(1_234);
});

const faultLine = (fields: object) => ({
  ...everyLine,
  level: 'ERROR',
  operation: 'test',
  ...fields,
});

const fieldsOf = (error: unknown): object =>
  error instanceof Error
    ? errorFields(error.name, error.message, error.cause ? fieldsOf(error.cause) : undefined)
    : { errorMessage: error };

const outage = Object.assign(new Error('no'), { $metadata: { httpStatusCode: 500 } });
const throttled = Object.assign(new Error('no'), { name: 'ThrottlingException' });
const conflict = new TransactionConflictException({ message: 'no', $metadata: {} });

test.each<[what: string, ofVersion: boolean, error: unknown]>([
  ['a bug', true, new TypeError('no')],
  ['an outage of DynamoDB', true, outage],
  ['half a response', true, new TransientError('no')],
  ['a timeout', true, new ApiError('gateway_timeout', 'no')],
  ['a value that is no Error', true, 'no'],
  ['throttling', false, throttled],
  ['a timeout after throttling', false, new Error('late', { cause: throttled })],
  ['clients who write one item', false, conflict],
  ['a timeout after clients who write one item', false, new Error('late', { cause: conflict })],
])('%s is a fault of the version: %s', (_what, ofVersion, error) => {
  logFault(error, { operation: 'test' }, { EntriesListed: 1 });
  const counted = metrics({ EntriesListed: 1 }, ofVersion ? { Faults: 1 } : {});
  expect(log).toStrictEqual([faultLine({ ...fieldsOf(error), ...counted })]);
});

test.each<[what: string, ofVersion: boolean, error: unknown]>([
  ['half a response', false, new TransientError('no')],
  ['a timeout after an outage of DynamoDB', false, new Error('late', { cause: outage })],
  ['a bug', true, new TypeError('no')],
])('of an update, %s is a fault of the version: %s', (_what, ofVersion, error) => {
  logFault(error, { operation: 'updateInventory' });
  expect(log).toHaveLength(1);
  expect(log[0].Faults).toBe(ofVersion ? 1 : undefined);
});

const directory = mkdtempSync(join(tmpdir(), 'petstore-stack-'));
const mapless = join(directory, 'mapless.js');
const bundle = join(directory, 'index.js');
/** Maps columns 1 and 9 of the bundle's line 12 to lines 3 and 4 of the source. */
const mappings = `${';'.repeat(11)}AAEA,QACA`;
const source = 'functions/inventory/update-item.ts';
const map = { version: 3, sources: [`../../asset-input/${source}`], names: [], mappings };

/** Returns the stack trace that is logged of an error with this one. */
const logged = (stack: string) => {
  logFault(Object.assign(new Error('no'), { stack }), {});
  return log.at(-1).stack;
};
const stackOf = (...positions: string[]) =>
  ['Error: no', ...positions.map((position) => `    at f (${position})`)].join('\n');

test('a stack trace has positions in the sources where a source map has them', () => {
  writeFileSync(`${bundle}.map`, JSON.stringify(map));
  const stack = stackOf(
    `${bundle}:12:1`,
    `${bundle}:12:11`,
    `${bundle}:2:1`,
    `${mapless}:12:1`,
    'node:fs:12:1',
  );
  const mapped = stackOf(
    `${source}:3:1`,
    `${source}:4:3`,
    `${bundle}:2:1`,
    `${mapless}:12:1`,
    'node:fs:12:1',
  );
  expect(logged(stack)).toBe(mapped);
  // The map is read only once.
  rmSync(`${bundle}.map`);
  expect(logged(stack)).toBe(mapped);
  const ofNoFunction = (position: string) => `Error: no\n    at ${position}`;
  expect(logged(ofNoFunction(`${bundle}:12:1`))).toBe(ofNoFunction(`${source}:3:1`));
});

test('the fields of an error have all its causes, and what DynamoDB says of each', () => {
  writeFileSync(join(directory, 'other.js.map'), JSON.stringify(map));
  const root = Object.assign(new TypeError('the root', { cause: 'a string' }), {
    stack: undefined,
  });
  const throttlingReasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'table' }];
  const CancellationReasons = [
    { Code: 'ThrottlingError', Message: 'why', Item: { petId: { N: '7' } } },
  ];
  const ofDynamodb = { $metadata: { requestId: 'id' }, throttlingReasons, CancellationReasons };
  const error = new Error('no', {
    cause: Object.assign(new RangeError('why', { cause: root }), ofDynamodb),
  });
  error.stack = stackOf(`${join(directory, 'other.js')}:12:9`);
  logFault(error, { operation: 'test' });
  const fields = {
    errorType: 'Error',
    errorMessage: 'no',
    stack: stackOf(`${source}:4:1`),
    cause: {
      errorType: 'RangeError',
      errorMessage: 'why',
      dynamodbRequestId: 'id',
      throttlingReasons,
      cancellationReasons: [{ Code: 'ThrottlingError', Message: 'why' }],
      stack: expect.stringMatching(/^RangeError: why\n/),
      cause: {
        errorType: 'TypeError',
        errorMessage: 'the root',
        stack: '',
        cause: { errorMessage: 'a string' },
      },
    },
  };
  expect(log).toStrictEqual([faultLine({ ...fields, ...metrics({}, { Faults: 1 }) })]);
});
