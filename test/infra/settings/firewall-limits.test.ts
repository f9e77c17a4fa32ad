import { expect, test } from '@jest/globals';
import { firewallLimits } from '../../../infra/settings/firewall-limits.ts';
import type { FirewallLimits } from '../../../infra/settings/stage-settings.ts';
import { prod, staging } from '../../support/stack/stages.ts';

const throttling = { rateLimit: 2_000, burstLimit: 4_000 };
const list = { throttling: { rateLimit: 10, burstLimit: 20 } };
const most: FirewallLimits = {
  withoutKey: 30_000,
  perAddress: { lists: 150, all: 30_000 },
  perKey: { lists: 150, all: 30_000 },
};
const limitsOf = (firewall: FirewallLimits) =>
  firewallLimits({ ...prod, throttling, list, firewall });

test('a quarter of what all clients share is the most that one gets', () => {
  expect(limitsOf(most)).toStrictEqual(most);
  expect(firewallLimits(staging)).toBeUndefined();
});

test.each<[name: string, firewall: FirewallLimits, most: string, of: string]>([
  ['withoutKey', { ...most, withoutKey: 30_001 }, '30000', 'throttling'],
  ['perAddress.lists', { ...most, perAddress: { lists: 151, all: 1 } }, '150', 'list.throttling'],
  ['perAddress.all', { ...most, perAddress: { lists: 1, all: 30_001 } }, '30000', 'throttling'],
  ['perKey.lists', { ...most, perKey: { lists: 151, all: 1 } }, '150', 'list.throttling'],
  ['perKey.all', { ...most, perKey: { lists: 1, all: 30_001 } }, '30000', 'throttling'],
])('a higher %s stops the synthesis, with what it may be', (name, firewall, limit, of) => {
  expect(() => limitsOf(firewall)).toThrow(
    `firewall.${name} may be at most ${limit} a minute, not ${Number(limit) + 1}: ` +
      `a quarter of ${of}, which all clients share. Raise that, too.`,
  );
});
