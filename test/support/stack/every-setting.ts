import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { prod } from './stages.ts';

export const env = { account: '111111111111', region: 'eu-west-1' };

type EverySetting = Required<StageSettings>;

/** A stage with each setting that the delivered ones leave out. The compiler demands each. */
export const everySetting: EverySetting = {
  ...prod,
  env,
  ceiling: prod.ceiling as EverySetting['ceiling'],
  firewall: prod.firewall as EverySetting['firewall'],
  alarmEmail: 'me@example.com',
  customDomain: {
    domainName: 'api.example.com',
    certificateArn:
      'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012',
  },
};
