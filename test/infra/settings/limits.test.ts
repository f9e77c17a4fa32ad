import { expect, test } from '@jest/globals';
import { checkLimits } from '../../../infra/settings/limits.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { templateOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';

const throttling = { rateLimit: 2_000, burstLimit: 4_000 };
const list = { throttling: { rateLimit: 10, burstLimit: 20 } };
const most = { lists: 150, all: 30_000 };
const atTheLimits: StageSettings = {
  ...prod,
  throttling,
  list,
  firewall: { perAddress: most, perKey: most },
};

test.each([
  ['a quarter of what all clients share', atTheLimits],
  ['what staging has, without a firewall', staging],
])('one client may get %s', (_what, settings) => {
  expect(() => checkLimits(settings)).not.toThrow();
});

test.each<[name: string, firewall: StageSettings['firewall'], most: string, of: string]>([
  [
    'perAddress.lists',
    { perAddress: { ...most, lists: 151 }, perKey: most },
    '150',
    'list.throttling',
  ],
  ['perAddress.all', { perAddress: { ...most, all: 30_001 }, perKey: most }, '30000', 'throttling'],
  ['perKey.lists', { perAddress: most, perKey: { ...most, lists: 151 } }, '150', 'list.throttling'],
  ['perKey.all', { perAddress: most, perKey: { ...most, all: 30_001 } }, '30000', 'throttling'],
])('a higher %s stops the synthesis, with what it may be', (name, firewall, limit, of) => {
  expect(() => templateOf('prod', { ...atTheLimits, firewall })).toThrow(
    `firewall.${name} may be at most ${limit} a minute, not ${Number(limit) + 1}: ` +
      `a quarter of ${of}, which all clients share. Raise that, too.`,
  );
});

test('more lists than leave executions for updates stop the synthesis', () => {
  const settings = { ...staging, list: { throttling: { rateLimit: 11, burstLimit: 20 } } };
  expect(() => templateOf('staging', settings)).toThrow(
    'list.throttling may be at most 10 a second, not 11: a list that nobody reads occupies an ' +
      'execution for 60 s, and updates need some, too.',
  );
});
