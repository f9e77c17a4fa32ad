import { listTimeout } from '../../functions/shared/time-limits.ts';
import type { StageSettings } from './stage-settings.ts';

/**
 * The most executions that lists may occupy at a time. Without a higher quota, all functions of an
 * account have 1,000 together, of which updates need some.
 */
const executionsOfLists = 600;

/**
 * Checks that the limits of a stage leave something to others.
 * @throws Error if lists could use up the executions of the account
 */
export const checkLimits = ({ list: { throttling } }: StageSettings): void => {
  const seconds = listTimeout / 1_000;
  const most = executionsOfLists / seconds;
  if (throttling.rateLimit > most) {
    throw new Error(
      `list.throttling may be at most ${most} a second, not ${throttling.rateLimit}: a list that ` +
        `nobody reads occupies an execution for ${seconds} s, and updates need some, too.`,
    );
  }
};
