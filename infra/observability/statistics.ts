import { Duration } from 'aws-cdk-lib';

export const everyMinute = (statistic: string) => ({ period: Duration.minutes(1), statistic });

export const sumOver = (minutes: number) => ({
  period: Duration.minutes(minutes),
  statistic: 'Sum',
});
