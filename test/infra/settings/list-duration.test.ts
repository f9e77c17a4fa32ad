import { expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { listDuration } from '../../../infra/settings/list-duration.ts';
import { staging } from '../../support/stack/stages.ts';

const durationOf = (seconds: number): Duration =>
  listDuration({ ...staging, list: { ...staging.list, timeout: Duration.seconds(seconds) } });

test('a list may take 60 s, unless the stage says otherwise', () => {
  expect(listDuration(staging).toSeconds()).toBe(60);
});

test.each([30, 300])('a list may take %i s', (seconds) => {
  expect(durationOf(seconds).toSeconds()).toBe(seconds);
});

test.each([29, 301])('a list may not take %i s', (seconds) => {
  expect(() => durationOf(seconds)).toThrow(
    `list.timeout must be from 30 to 300 s, not ${seconds} s.`,
  );
});
