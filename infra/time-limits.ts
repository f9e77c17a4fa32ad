import { Duration } from 'aws-cdk-lib';
import * as limits from '../functions/time-limits.ts';

export const functionTimeLimit = Duration.millis(limits.functionTimeLimit);

export const listTimeLimit = Duration.millis(limits.listTimeLimit);

/** What API Gateway waits for the list. Its time also holds a cold function's init, which the function's own does not. */
export const listIntegrationTimeLimit = listTimeLimit.plus(Duration.seconds(10));
