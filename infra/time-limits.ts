import { Duration } from 'aws-cdk-lib';

/** Of a function that does one request to a table: 3 attempts of 2 s, the waits between them, and a cold start. */
export const functionTimeLimit = Duration.seconds(10);

/**
 * Of the list. The most that Lambda streams are 200 MB, in 97 s: 6 MB at once and 2 MB/s from there.
 * The rest is for clients that are up to three times slower.
 */
export const listTimeLimit = Duration.minutes(5);

/** What API Gateway waits for the list. Its time also holds a cold function's init, which the function's own does not. */
export const listIntegrationTimeLimit = listTimeLimit.plus(Duration.seconds(10));
