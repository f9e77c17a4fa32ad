import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './ask-service.ts';
import type { ServiceCheck } from './service-checks.ts';

export type AnswerCounts = Record<Answer['kind'], number>;

export interface WrongAnswer {
  check: ServiceCheck;
  answered: string;
}

interface WatchProps {
  checks: ServiceCheck[];
  ask: (check: ServiceCheck, signal: AbortSignal) => Promise<Answer>;
  /** Milliseconds from one request of a check to its next. */
  every: number;
  /** Ends the watch. */
  signal: AbortSignal;
  /** Is added to. */
  counts: AnswerCounts;
}

export const noAnswers = (): AnswerCounts => ({ right: 0, wrong: 0, throttled: 0, unreachable: 0 });

/** How many wrong answers in a row to the same check end the watch. */
const tolerated = 2;

/**
 * Asks a service again and again. Returns the second of two wrong answers in a row to the same
 * check, or undefined if the watch was ended before.
 */
export const watchService = async (props: WatchProps): Promise<WrongAnswer | undefined> => {
  const found = new AbortController();
  const signal = AbortSignal.any([props.signal, found.signal]);
  const watches = props.checks.map((check) => watchCheck(check, { ...props, signal }));
  const wrong = await Promise.race(watches);
  found.abort();
  await Promise.all(watches);
  return wrong;
};

/** Repeats one check. Answers that say nothing of the version neither count nor start anew. */
const watchCheck = async (
  check: ServiceCheck,
  { ask, every, signal, counts }: WatchProps,
): Promise<WrongAnswer | undefined> => {
  let wrongInARow = 0;
  while (!signal.aborted) {
    const askedAt = performance.now();
    const answer = await ask(check, signal);
    if (signal.aborted) {
      break;
    }
    counts[answer.kind] += 1;
    if (answer.kind === 'right') {
      wrongInARow = 0;
    } else if (answer.kind === 'wrong') {
      wrongInARow += 1;
      if (wrongInARow === tolerated) {
        return { check, answered: answer.answered };
      }
    }
    await pause(askedAt + every - performance.now(), signal);
  }
  return undefined;
};

/** Waits until the time has passed or the signal is aborted. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
