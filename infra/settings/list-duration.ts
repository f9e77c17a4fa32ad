import { Duration } from 'aws-cdk-lib';
import { defaultListTimeout } from '../../functions/shared/time-limits.ts';
import type { StageSettings } from './stage-settings.ts';

const shortest = Duration.seconds(30);
const longest = Duration.minutes(5);

/**
 * Returns how long a list of a stage may take.
 * @throws Error if the setting is too short for retries, or longer than the functions can handle
 */
export const listDuration = ({ list }: StageSettings): Duration => {
  const duration = list.timeout ?? Duration.millis(defaultListTimeout);
  const seconds = duration.toSeconds();
  if (seconds < shortest.toSeconds() || seconds > longest.toSeconds()) {
    const allowed = `from ${shortest.toSeconds()} to ${longest.toSeconds()} s`;
    throw new Error(`list.timeout must be ${allowed}, not ${seconds} s.`);
  }
  return duration;
};
