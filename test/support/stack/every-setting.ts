import { Duration } from 'aws-cdk-lib';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { prod } from './stages.ts';

export const env = { account: '111111111111', region: 'eu-west-1' };

type Groups = 'list' | 'tables';

/** The settings, of which the compiler demands each. */
type EverySetting = Required<Omit<StageSettings, Groups>> & {
  [Group in Groups]: Required<StageSettings[Group]>;
};

/** A stage with each setting that the delivered ones leave out. */
export const everySetting: EverySetting = {
  ...prod,
  env,
  firewall: prod.firewall as EverySetting['firewall'],
  tables: {
    ...prod.tables,
    ceiling: prod.tables.ceiling as EverySetting['tables']['ceiling'],
    replicaRegions: ['us-east-1'],
    warmThroughput: { Inventory: { read: 13_000, write: 5_000 } },
  },
  copies: {
    vaultArn: 'arn:aws:backup:eu-central-1:111111111111:backup-vault:petstore-copies',
    keptFor: Duration.days(35),
  },
  list: { ...prod.list, timeout: Duration.minutes(5), reservedConcurrency: 20 },
  alarmEmail: 'me@example.com',
  customDomain: {
    domainName: 'api.example.com',
    certificateArn:
      'arn:aws:acm:eu-west-1:111111111111:certificate/12345678-1234-1234-1234-123456789012',
  },
  webAclArn: 'arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/petstore/1',
};
