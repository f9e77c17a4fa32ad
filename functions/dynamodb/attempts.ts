/** Milliseconds without a byte from DynamoDB, after which an attempt has failed. */
export const attemptTimeout = 2_000;

/** Milliseconds that the SDK waits at most after an attempt: after throttling, the longest of its waits. */
const longestWait = (attempt: number): number => Math.min(1_000 * 2 ** (attempt - 1), 20_000);

/** How many attempts end for certain within so many milliseconds, each silent and each followed by the longest wait. */
export const attemptsWithin = (milliseconds: number): number => {
  let attempts = 1;
  let longest = attemptTimeout;
  for (;;) {
    longest += longestWait(attempts) + attemptTimeout;
    if (longest > milliseconds) {
      return attempts;
    }
    attempts += 1;
  }
};
