import { listTimeout } from '../../functions/shared/time-limits.ts';
import type { StageSettings } from './stage-settings.ts';

/**
 * The most executions that lists may occupy at a time. Without a higher quota, all functions of an
 * account have 1,000 together, of which updates need some.
 */
const executionsOfLists = 600;

/**
 * Checks that the limits of a stage leave something to others.
 * @throws Error if lists could use up the executions of the account, or one client more than a
 *   quarter of what API Gateway accepts from all
 */
export const checkLimits = (settings: StageSettings): void => {
  checkLists(settings);
  checkFirewall(settings);
};

const checkLists = ({ list: { throttling } }: StageSettings): void => {
  const seconds = listTimeout / 1_000;
  const most = executionsOfLists / seconds;
  if (throttling.rateLimit > most) {
    throw new Error(
      `list.throttling may be at most ${most} a second, not ${throttling.rateLimit}: a list that ` +
        `nobody reads occupies an execution for ${seconds} s, and updates need some, too.`,
    );
  }
};

const checkFirewall = ({ firewall, throttling, list }: StageSettings): void => {
  if (firewall === undefined) {
    return;
  }
  const { perAddress, perKey } = firewall;
  const ofAll = { setting: 'throttling', ...throttling };
  const ofLists = { setting: 'list.throttling', ...list.throttling };
  const limits = [
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
};
