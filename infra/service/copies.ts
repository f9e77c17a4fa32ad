import { Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  type IBackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { StageSettings } from '../settings/stage-settings.ts';
import type { TableName } from './operations.ts';
import type { Tables } from './tables.ts';

type Copies = NonNullable<StageSettings['copies']>;

interface CopiesProps {
  stageName: string;
  tables: Tables;
  copies: Copies;
}

/**
 * The hour of each table's backup, in UTC. AWS counts copies by vault, not by table: half a day
 * apart, an hour with a copy tells that of one table, and two such hours a day those of both.
 */
const hours: Record<TableName, string> = { Inventory: '1', ApiKeys: '13' };

/** Backs each table up once a day, and copies the backup to the vault of the setting. */
export const addCopies = (stack: Stack, { stageName, tables, copies }: CopiesProps): void => {
  const role = addRole(stack);
  const backupVault = new BackupVault(stack, 'BackupVault', {
    backupVaultName: `petstore-inventory-${stageName}`,
    // AWS deletes no vault that holds backups.
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const vaultOfCopies = BackupVault.fromBackupVaultArn(stack, 'VaultOfCopies', copies.vaultArn);
  for (const [name, hour] of Object.entries(hours) as [TableName, string][]) {
    const plan = new BackupPlan(stack, `${name}Backup`, {
      backupPlanName: `petstore-inventory-${stageName}-${name}`,
      backupVault,
      backupPlanRules: [daily(hour, vaultOfCopies, copies)],
    });
    plan.addSelection('Table', {
      resources: [BackupResource.fromDynamoDbTable(tables[name])],
      role,
      disableDefaultBackupPolicy: true,
    });
  }
};

const daily = (hour: string, destinationBackupVault: IBackupVault, { keptFor }: Copies) =>
  new BackupPlanRule({
    ruleName: 'daily',
    scheduleExpression: Schedule.cron({ hour, minute: '17' }),
    // The alarm of a missing copy allows for two hours, from the start to the end of the copy.
    startWindow: Duration.hours(1),
    // AWS bills a week at least.
    deleteAfter: Duration.days(7),
    copyActions: [{ destinationBackupVault, deleteAfter: keptFor }],
  });

/** Adds the role that backs up and copies. It may also restore, for which somebody must pass it. */
const addRole = (stack: Stack): Role => {
  const policies = ['Backup', 'Restores'].map(
    (name) => `service-role/AWSBackupServiceRolePolicyFor${name}`,
  );
  const role = new Role(stack, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: policies.map((policy) => ManagedPolicy.fromAwsManagedPolicyName(policy)),
  });
  Validations.of(role).acknowledge(
    ...policies.map((policy) => ({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: 'AWS Backup asks for this policy; what it needs of other services changes.',
    })),
  );
  return role;
};

/**
 * Returns the name of the vault that gets the copies.
 * @throws Error if the setting is not the ARN of a vault
 */
export const vaultNameOf = ({ vaultArn }: Copies): string => {
  const [, name] = /^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:([\w-]+)$/.exec(vaultArn) ?? [];
  if (name === undefined) {
    throw new Error(`copies.vaultArn must be the ARN of a backup vault, not ${vaultArn}.`);
  }
  return name;
};
