import { quoted } from '../stage/quoted.ts';
import { beginningOf } from '../stage/request-list.ts';
import type { ServiceCheck } from './service-checks.ts';

/** The answer of a service to a check. Only `right` and `wrong` say something of its version. */
export type Answer =
  | { kind: 'right' }
  | { kind: 'wrong'; answered: string }
  | { kind: 'throttled' }
  | { kind: 'unreachable'; reason: string };

interface Question {
  /** Ends in `/v1`. */
  baseUrl: string;
  check: ServiceCheck;
  signal: AbortSignal;
  /** Milliseconds that an answer may take; 35 seconds by default. */
  timeLimit?: number;
}

/**
 * Longer than API Gateway waits for an update, whose 504 is a wrong answer. Every list that works
 * has begun long before.
 */
const defaultTimeLimit = 35_000;

/** How much of an answer or an error is quoted. Every Error response is shorter. */
const characters = 300;

/** Sends a check to a service. Never rejects. */
export const askService = async (question: Question): Promise<Answer> => {
  const { check, timeLimit = defaultTimeLimit } = question;
  const apiKey = check.apiKey();
  const quote = (text: string): string => quoted(text, { apiKey, characters });
  try {
    const { status, beginning } = await send({ ...question, apiKey, timeLimit });
    if (status === 429) {
      return { kind: 'throttled' };
    }
    if (check.isRight(status, beginning)) {
      return { kind: 'right' };
    }
    return { kind: 'wrong', answered: `${status} ${quote(beginning)}`.trimEnd() };
  } catch (error) {
    const { name, message, cause } = error as Error;
    // Without a connection, there is another error much earlier.
    if (name === 'TimeoutError') {
      return { kind: 'wrong', answered: `nothing within ${timeLimit / 1_000} s` };
    }
    const reason = (cause as Error | undefined)?.message || message;
    return { kind: 'unreachable', reason: quote(reason) };
  }
};

/** Sends a check, and returns the status and the beginning of the answer. */
const send = async (
  question: Question & { apiKey: string; timeLimit: number },
): Promise<{ status: number; beginning: string }> => {
  const { baseUrl, check, signal, apiKey, timeLimit } = question;
  const { status, body } = await fetch(baseUrl + check.path, {
    method: check.method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: check.body ?? null,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]),
  });
  // One key more than is quoted, so that no part of a key is at its end.
  return { status, beginning: await beginningOf(body, characters + apiKey.length) };
};
