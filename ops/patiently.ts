import { setTimeout as sleep } from 'node:timers/promises';

/** Makes {@link patiently} try again, after a pause. */
export class Throttled extends Error {
  override readonly name = 'ThrottlingException';
}

const throttling =
  /^(Throttling|ThrottlingException|ProvisionedThroughputExceededException|RequestLimitExceeded|TooManyRequestsException)$/;

const attempts = 10;

/**
 * Repeats a call that is throttled, with growing random pauses: about a minute and a half in all. A new on-demand
 * table grows into a load within minutes; the SDK's own retries share a budget that many calls at once use up.
 */
export const patiently = async <Result>(call: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Error && throttling.test(error.name)) || attempt === attempts) {
        throw error;
      }
    }
    await sleep(Math.random() * Math.min(30_000, 100 * 2 ** attempt));
  }
};
