import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { prod } from './stages.ts';

/** A stage with each setting that the delivered ones leave out. The compiler demands each. */
export const everySetting: Required<StageSettings> = {
  ...(prod as Required<StageSettings>),
  env: { account: '111111111111', region: 'eu-west-1' },
  alarmEmail: 'me@example.com',
  customDomain: {
    domainName: 'api.example.com',
    certificateArn:
      'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012',
  },
};
