import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli/cli-error.ts';
import { inWords, reportOf } from './answers-in-words.ts';
import type { Answer } from './ask-service.ts';
import type { ServiceCheck } from './service-checks.ts';

interface Expectation {
  stageName: string;
  baseUrl: string;
  checks: ServiceCheck[];
  ask: (check: ServiceCheck, signal: AbortSignal) => Promise<Answer>;
  /** Milliseconds from an answer that says nothing of the service to the next request. */
  every: number;
  /** The command that deploys without a watch. */
  unwatched: string;
  signal: AbortSignal;
}

/** How often a check is sent while no answer says anything of the service. */
const attempts = 6;

/** Throws a CliError unless a service answers every check rightly. */
export const expectRightAnswers = async (props: Expectation): Promise<void> => {
  const { stageName, baseUrl, checks, unwatched, signal } = props;
  for (const check of checks) {
    const answer = await conclusiveAnswer(check, props);
    signal.throwIfAborted();
    if (answer.kind !== 'right') {
      const report = reportOf(baseUrl, { check, answered: inWords(answer) });
      const message = `${stageName} does not work as it is, so nothing was deployed.`;
      throw new CliError('failed', `${message}\n${report}`, {
        hint: `If this release repairs it, deploy without the probes: ${unwatched}`,
      });
    }
  }
};

/** Returns the first answer that says something of the service, or else the last one. */
const conclusiveAnswer = async (
  check: ServiceCheck,
  { ask, every, signal }: Expectation,
): Promise<Answer> => {
  let answer = await ask(check, signal);
  for (let left = attempts - 1; left > 0 && !isConclusive(answer); left -= 1) {
    await sleep(every, undefined, { signal });
    answer = await ask(check, signal);
  }
  return answer;
};

const isConclusive = ({ kind }: Answer): boolean => kind === 'right' || kind === 'wrong';
