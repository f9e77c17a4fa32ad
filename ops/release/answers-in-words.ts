import type { Answer } from './ask-service.ts';
import type { AnswerCounts, WrongAnswer } from './watch-service.ts';

/** Says what a service has answered. */
export const inWords = (answer: Answer): string => {
  switch (answer.kind) {
    case 'wrong':
      return answer.answered;
    case 'unreachable':
      return `nothing: ${answer.reason}`;
    default:
      return '429';
  }
};

/** Says what was asked, expected and answered. */
export const reportOf = (baseUrl: string, { check, answered }: WrongAnswer): string =>
  [
    `Asked:    ${check.asked} of ${baseUrl}`,
    `Expected: ${check.expected}`,
    `Answered: ${answered}`,
  ].join('\n');

/** Says how often a service gave which answer. */
export const summaryOf = ({ right, wrong, throttled, unreachable }: AnswerCounts): string =>
  `While it was deployed, prod answered rightly ${right} times and wrongly ${wrong} times; ` +
  `${throttled} requests got a 429 and ${unreachable} failed to connect.`;
