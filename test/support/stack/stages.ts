import { type StageName, stageNames } from '../../../infra/settings/stage-names.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { stages } from '../../../infra/settings/stages.ts';

/** The stages without what only their operators set, so that no test depends on that. */
export const delivered = Object.fromEntries(
  stageNames.map((stageName) => {
    const { env, alarmEmail, customDomain, ...settings } = stages[stageName];
    return [stageName, settings];
  }),
) as Record<StageName, StageSettings>;

export const { staging, prod } = delivered;
