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
  ['a bug', new TypeError('no')],
  ['an outage of DynamoDB', dynamodbError('InternalServerError', 500)],
  ['a rejected request', dynamodbError('ValidationException')],
  ['a missing permission', dynamodbError('AccessDeniedException')],
  ['a value that is no Error', 'no'],
])('counts %s as a fault of the stage and of the version', (_what, error) => {
  logFault(error, { operation: 'test' }, { Lists: 1 });
  expect(log).toMatchObject([{ level: 'ERROR', operation: 'test', Lists: 1, Faults: 1 }]);
  expect(dimensionsOf(log[0])).toMatchObject([ofStage, ofVersion]);
});

test.each([
  ['throttling', dynamodbError('ThrottlingException')],
  ['the limit of a table', dynamodbError('ProvisionedThroughputExceededException')],
  ['the limit of an account', dynamodbError('RequestLimitExceeded')],
  [
    'a timeout after throttling',
    new Error('late', { cause: dynamodbError('ThrottlingException') }),
  ],
])('counts %s as a fault of the stage alone', (_what, error) => {
  logFault(error, {}, { Lists: 1 });
  expect(dimensionsOf(log[0])).toMatchObject([ofStage]);
});
