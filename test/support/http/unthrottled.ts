import { setTimeout as sleep } from 'node:timers/promises';

/** The `Retry-After` of every 429 of the service. */
const retryAfter = 1_000;

/** Asks again, as often as the throttling rejects it: a fast machine exceeds that of lists. */
export const unthrottled = async <Answer extends { status: unknown }>(
  ask: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await ask();
  if (answer.status !== 429) {
    return answer;
  }
  await sleep(retryAfter);
  return unthrottled(ask);
};
