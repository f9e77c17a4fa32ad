import { expect, test } from '@jest/globals';
import {
  attemptTimeout,
  authorizerCacheSeconds,
  firstByteTimeout,
  functionTimeout,
  requestAttempts,
} from '../../functions/shared/time-limits.ts';
import { blocksOf, textOf } from '../support/docs/markdown.ts';

const inSeconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;

test('the diagram in docs/architecture.md has the time limits of the functions', () => {
  const [diagram = ''] = blocksOf(textOf('docs/architecture.md'), 'mermaid');
  const attempts = `up to ${requestAttempts} attempts of ${inSeconds(attemptTimeout)}`;
  for (const fact of [
    `the key is in the cache, for ${authorizerCacheSeconds} s`,
    `key, at most ${inSeconds(functionTimeout)}`,
    `GetItem by hash, ${attempts}`,
    `request, at most ${inSeconds(functionTimeout)}`,
    `UpdateItem, ${attempts}`,
    `after ${inSeconds(firstByteTimeout)} a 504`,
  ]) {
    expect(diagram).toContain(fact);
  }
});
