import { Duration } from 'aws-cdk-lib';
import * as limits from '../../functions/shared/time-limits.ts';

export const functionTimeout = Duration.millis(limits.functionTimeout);

export const listTimeout = Duration.millis(limits.listTimeout);

/** What API Gateway waits for the list. Its time also holds a cold function's init, which the function's own does not. */
export const listIntegrationTimeout = listTimeout.plus(Duration.seconds(10));

/**
 * Whole minutes that Lambda's metrics of an invocation may be late beside the usual three: they come when it ends,
 * with the time at which it began.
 */
export const metricDelay = (timeLimit: Duration): number => Math.floor(timeLimit.toMinutes({ integral: false }));
