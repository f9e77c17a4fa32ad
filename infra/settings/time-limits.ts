import { Duration } from 'aws-cdk-lib';
import * as limits from '../../functions/shared/time-limits.ts';
import type { StageSettings } from './stage-settings.ts';

export const functionTimeout = Duration.millis(limits.functionTimeout);

const shortestList = Duration.seconds(30);
const longestList = Duration.minutes(5);

/**
 * Returns how long a list of a stage may take.
 * @throws Error if the setting is too short for retries, or longer than the functions can handle
 */
export const listTimeout = ({ list }: StageSettings): Duration => {
  const timeout = list.timeout ?? Duration.millis(limits.defaultListTimeout);
  const seconds = timeout.toSeconds();
  if (seconds < shortestList.toSeconds() || seconds > longestList.toSeconds()) {
    const allowed = `from ${shortestList.toSeconds()} to ${longestList.toSeconds()} s`;
    throw new Error(`list.timeout must be ${allowed}, not ${seconds} s.`);
  }
  return timeout;
};

/**
 * Returns how long API Gateway waits for a list. Its time includes the init of a cold start; the
 * function's does not.
 */
export const listIntegrationTimeout = (settings: StageSettings): Duration =>
  listTimeout(settings).plus(Duration.seconds(10));

/**
 * Returns the whole minutes by which Lambda's metrics of an invocation may be late, beyond the
 * usual three. They arrive when the invocation ends, with the time at which it began.
 */
export const metricDelay = (timeLimit: Duration): number =>
  Math.floor(timeLimit.toMinutes({ integral: false }));
