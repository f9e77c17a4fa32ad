import { variable } from '../shared/environment.ts';
import { attemptsWithin } from '../shared/time-limits.ts';

/** Timeout in milliseconds of this function, which lists. */
export const listTimeout = 1_000 * Number(variable('LIST_TIMEOUT_SECONDS'));

/** Attempts for a later page of a list. The other pages need the rest of its time. */
export const pageAttempts = attemptsWithin(listTimeout / 3);
