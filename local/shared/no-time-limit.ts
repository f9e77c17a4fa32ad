/**
 * Seconds that stand for no time limit: a day, in which nobody sits at a breakpoint. Node's timers
 * hold at most 24 days.
 */
export const noTimeLimit = 86_400;
