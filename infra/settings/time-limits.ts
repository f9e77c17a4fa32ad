import { Duration } from 'aws-cdk-lib';
import * as limits from '../../functions/shared/time-limits.ts';

export const functionTimeout = Duration.millis(limits.functionTimeout);

export const listTimeout = Duration.millis(limits.listTimeout);

/**
 * How long API Gateway waits for the list. Its time includes the init of a cold start; the
 * function's does not.
 */
export const listIntegrationTimeout = listTimeout.plus(Duration.seconds(10));

/**
 * Returns the whole minutes by which Lambda's metrics of an invocation may be late, beyond the
 * usual three. They arrive when the invocation ends, with the time at which it began.
 */
export const metricDelay = (timeLimit: Duration): number =>
  Math.floor(timeLimit.toMinutes({ integral: false }));
