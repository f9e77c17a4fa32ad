import { expect, test } from '@jest/globals';
import { captureLog } from '../../support/functions/capture-log.ts';
import { setEnvironment } from '../../support/functions/functions.ts';

setEnvironment();
const { logFault } = await import('../../../functions/observability/log-fault.ts');

const log = captureLog();

/** Returns an error of the SDK with this name, as DynamoDB sends it. */
const dynamodbError = (name: string, status = 400) =>
  Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: status } });

const dimensionsOf = (line: { _aws: { CloudWatchMetrics: object[] } }) =>
  line._aws.CloudWatchMetrics;
const ofStage = { Dimensions: [['Stage']], Metrics: [{ Name: 'Lists' }, { Name: 'Faults' }] };
const ofVersion = {
  Dimensions: [['FunctionName', 'FunctionVersion']],
  Metrics: [{ Name: 'Faults' }],
};

test.each([
  { what: 'a bug', error: new TypeError('no') },
  { what: 'an outage of DynamoDB', error: dynamodbError('InternalServerError', 500) },
  { what: 'a rejected request', error: dynamodbError('ValidationException') },
  { what: 'a missing permission', error: dynamodbError('AccessDeniedException') },
  { what: 'a value that is no Error', error: 'no' },
])('counts $what as a fault of the stage and of the version', ({ error }) => {
  logFault(error, { operation: 'test' }, { Lists: 1 });
  expect(log).toMatchObject([{ level: 'ERROR', operation: 'test', Lists: 1, Faults: 1 }]);
  expect(dimensionsOf(log[0])).toMatchObject([ofStage, ofVersion]);
});

test.each([
  { what: 'throttling', error: dynamodbError('ThrottlingException') },
  { what: 'the limit of a table', error: dynamodbError('ProvisionedThroughputExceededException') },
  { what: 'the limit of an account', error: dynamodbError('RequestLimitExceeded') },
  {
    what: 'a timeout after throttling',
    error: new Error('late', { cause: dynamodbError('ThrottlingException') }),
  },
])('counts $what as a fault of the stage alone', ({ error }) => {
  logFault(error, {}, { Lists: 1 });
  expect(dimensionsOf(log[0])).toMatchObject([ofStage]);
});
