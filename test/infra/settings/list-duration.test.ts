import { expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { defaultListTimeout } from '../../../functions/shared/time-limits.ts';
import { listDuration } from '../../../infra/settings/list-duration.ts';
import { staging } from '../../support/stack/stages.ts';

const secondsOf = (list: { timeout?: Duration }): number =>
  listDuration({ ...staging, list: { ...staging.list, ...list } }).toSeconds();

test('a list takes as long as its setting says, from 30 s to 300 s, and else the default time', () => {
  const set = [30, 300].map((seconds) => secondsOf({ timeout: Duration.seconds(seconds) }));
  expect([secondsOf({}), ...set]).toStrictEqual([defaultListTimeout / 1_000, 30, 300]);
});

test.each([
  { what: 'too short for retries', seconds: 29 },
  { what: 'longer than functions run', seconds: 301 },
])('a list of $seconds s, $what, cannot be set', ({ seconds }) => {
  expect(() => secondsOf({ timeout: Duration.seconds(seconds) })).toThrow(
    new Error(`list.timeout must be from 30 to 300 s, not ${seconds} s.`),
  );
});
