import { Duration } from 'aws-cdk-lib';
import * as limits from '../../functions/shared/time-limits.ts';

export const functionTimeout = Duration.millis(limits.functionTimeout);

export const listTimeout = Duration.millis(limits.listTimeout);

/** What API Gateway waits for the list. Its time also holds a cold function's init, which the function's own does not. */
export const listIntegrationTimeout = listTimeout.plus(Duration.seconds(10));
