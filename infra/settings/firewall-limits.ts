import type { FirewallLimits, StageSettings } from './stage-settings.ts';

/**
 * Returns the limits of a stage's firewall, if it has any.
 * @throws Error if a client could use up more than a quarter of what API Gateway accepts from all
 */
export const firewallLimits = (settings: StageSettings): FirewallLimits | undefined => {
  const { firewall, throttling, list } = settings;
  if (firewall === undefined) {
    return undefined;
  }
  const { withoutKey, perAddress, perKey } = firewall;
  const ofAll = { setting: 'throttling', ...throttling };
  const ofLists = { setting: 'list.throttling', ...list.throttling };
  const limits = [
    { name: 'withoutKey', limit: withoutKey, of: ofAll },
    { name: 'perAddress.lists', limit: perAddress.lists, of: ofLists },
    { name: 'perAddress.all', limit: perAddress.all, of: ofAll },
    { name: 'perKey.lists', limit: perKey.lists, of: ofLists },
    { name: 'perKey.all', limit: perKey.all, of: ofAll },
  ];
  for (const { name, limit, of } of limits) {
    const most = Math.floor((of.rateLimit * 60) / 4);
    if (limit > most) {
      throw new Error(
        `firewall.${name} may be at most ${most} a minute, not ${limit}: a quarter of ` +
          `${of.setting}, which all clients share. Raise that, too.`,
      );
    }
  }
  return firewall;
};
