import { Annotations, CfnOutput, Stack, type Stage } from 'aws-cdk-lib';
import { petStatuses } from '../functions/inventory/item.ts';
import { InventoryApi } from './api/inventory-api.ts';
import { addFunctions } from './lambda/service-functions.ts';
import { Alarms } from './observability/alarms.ts';
import { addDashboard } from './observability/dashboard.ts';
import { addLogQueries } from './observability/log-queries.ts';
import { addSamplingRule } from './observability/sampling-rule.ts';
import { addCopies, vaultNameOf } from './service/copies.ts';
import { addTables } from './service/tables.ts';
import type { StageSettings } from './settings/stage-settings.ts';

/** The stack that contains the whole service of one CDK Stage. */
export class InventoryStack extends Stack {
  constructor(stage: Stage, id: string, settings: StageSettings) {
    super(stage, id, {
      description: `Petstore inventory service (${stage.stageName})`,
      terminationProtection: settings.tables.deletionProtection,
    });
    warnIfNobodyIsNotified(this, settings);
    const { stageName } = stage;
    const tables = addTables(this, settings.tables);
    const functions = addFunctions(this, { stageName, settings, tables });
    const api = new InventoryApi(this, 'Api', { stageName, settings, functions });
    const parts = { stageName, api, functions, tables };
    const { alarmEmail: email, copies } = settings;
    const vaultOfCopies = copies && vaultNameOf(copies);
    const alarms = new Alarms(this, 'Alarms', { parts, email, vaultOfCopies });
    if (copies) {
      addCopies(this, { stageName, tables, copies });
    }
    addSamplingRule(this, api);
    addDashboard(this, { parts, alarms, queryNames: addLogQueries(this, parts) });

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'RestApiId', { value: api.restApiId });
    new CfnOutput(this, 'InventoryTableName', { value: tables.Inventory.tableName });
    new CfnOutput(this, 'ApiKeysTableName', { value: tables.ApiKeys.tableName });
    // What petstore may write: the version before would fail at anything else.
    new CfnOutput(this, 'Statuses', { value: petStatuses.join(' ') });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
  }
}

/** A stage whose data matters should not fail unseen. */
const warnIfNobodyIsNotified = (stack: Stack, { alarmEmail, tables }: StageSettings): void => {
  if (!alarmEmail && tables.deletionProtection) {
    Annotations.of(stack).addWarningV2(
      'petstore:noAlarmEmail',
      'No alarm of this stage notifies anybody. Set its alarmEmail in infra/settings/stages.ts.',
    );
  }
};
