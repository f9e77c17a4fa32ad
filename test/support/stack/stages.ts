import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { stages } from '../../../infra/settings/stages.ts';

/** Returns a stage without what only its operators set, so that no test depends on that. */
const delivered = (stageName: keyof typeof stages): StageSettings => {
  const { env, alarmEmail, customDomain, webAclArn, ...settings } = stages[stageName];
  return settings;
};

export const staging = delivered('staging');
export const prod = delivered('prod');
