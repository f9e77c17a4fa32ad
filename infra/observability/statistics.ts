import { Duration } from 'aws-cdk-lib';

/** Metrics are compared and drawn by the minute, unless something is rare. */
export const everyMinute = (statistic: string) => ({ period: Duration.minutes(1), statistic });

export const sumOfMinute = everyMinute('Sum');

export const sumOf5Minutes = { period: Duration.minutes(5), statistic: 'Sum' };
