import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { errorFields } from '../../../functions/observability/log-line.ts';
import { mapStack } from '../../../functions/observability/source-stack.ts';

const directory = mkdtempSync(join(tmpdir(), 'petstore-stack-'));
const mapless = join(directory, 'mapless.js');
const bundle = join(directory, 'index.js');
/** Maps columns 1 and 9 of the bundle's line 12 to lines 3 and 4 of the source. */
const mappings = `${';'.repeat(11)}AAEA,QACA`;
const source = 'functions/inventory/update-item.ts';
const map = { version: 3, sources: [`../../asset-input/${source}`], names: [], mappings };
writeFileSync(`${bundle}.map`, JSON.stringify(map));

const stackOf = (...positions: string[]) =>
  ['Error: no', ...positions.map((position) => `    at f (${position})`)].join('\n');

test('a stack trace has positions in the sources where a source map has them', () => {
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
  expect(mapStack(stack)).toBe(mapped);
  // The map is read only once.
  rmSync(`${bundle}.map`);
  expect(mapStack(stack)).toBe(mapped);
});

test('the log line of an error has all its causes, and what DynamoDB says of each', () => {
  const root = Object.assign(new TypeError('the root', { cause: 'a string' }), {
    stack: undefined,
  });
  const throttlingReasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'table' }];
  const ofDynamodb = { $metadata: { requestId: 'id' }, throttlingReasons };
  const error = new Error('no', {
    cause: Object.assign(new RangeError('why', { cause: root }), ofDynamodb),
  });
  error.stack = stackOf(`${bundle}:12:9`);
  expect(errorFields(error)).toEqual({
    errorType: 'Error',
    errorMessage: 'no',
    stack: stackOf(`${source}:4:1`),
    cause: {
      errorType: 'RangeError',
      errorMessage: 'why',
      dynamodbRequestId: 'id',
      throttlingReasons,
      stack: expect.stringMatching(/^RangeError: why\n/),
      cause: {
        errorType: 'TypeError',
        errorMessage: 'the root',
        stack: '',
        cause: { errorMessage: 'a string' },
      },
    },
  });
  expect(errorFields(undefined)).toEqual({ errorMessage: 'undefined' });
});
