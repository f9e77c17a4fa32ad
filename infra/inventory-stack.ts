import { Annotations, CfnOutput, Stack, type Stage } from 'aws-cdk-lib';
import { petStatuses } from '../functions/inventory/item.ts';
import { InventoryApi } from './api/inventory-api.ts';
import { addFunctions } from './lambda/service-functions.ts';
import { Alarms } from './observability/alarms.ts';
import { addDashboard } from './observability/dashboard.ts';
import { addLogQueries } from './observability/log-queries.ts';
import { addTables } from './service/tables.ts';
import { checkLimits } from './settings/limits.ts';
import type { StageSettings } from './settings/stage-settings.ts';

/** The stack that contains the whole service of one CDK Stage. */
export class InventoryStack extends Stack {
  constructor(stage: Stage, id: string, settings: StageSettings) {
    super(stage, id, {
      description: `Petstore inventory service (${stage.stageName})`,
      terminationProtection: settings.isProtected,
    });
    checkLimits(settings);
    warnIfNobodyIsNotified(this, settings);
    const { stageName } = stage;
    const tables = addTables(this, settings);
    const functions = addFunctions(this, { stageName, settings, tables });
    const api = new InventoryApi(this, 'Api', { stageName, settings, functions });
    const parts = { stageName, api, functions, tables };
    const alarms = new Alarms(this, 'Alarms', { parts, email: settings.alarmEmail });
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
const warnIfNobodyIsNotified = (stack: Stack, { alarmEmail, isProtected }: StageSettings): void => {
  if (!alarmEmail && isProtected) {
    Annotations.of(stack).addWarningV2(
      'petstore:noAlarmEmail',
      'No alarm of this stage notifies anybody. Set its alarmEmail in infra/settings/stages.ts.',
    );
  }
};
