import { CfnOutput, Stack, type Stage } from 'aws-cdk-lib';
import { InventoryApi } from './api/inventory-api.ts';
import { addFunctions } from './lambda/service-functions.ts';
import { Alarms } from './observability/alarms.ts';
import { addDashboard } from './observability/dashboard.ts';
import { addLogQueries } from './observability/log-queries.ts';
import { addTables } from './service/tables.ts';
import type { StageSettings } from './settings/stage-settings.ts';

/** The stack that contains the whole service of one CDK Stage. */
export class InventoryStack extends Stack {
  constructor(stage: Stage, id: string, settings: StageSettings) {
    super(stage, id, {
      description: `Petstore inventory service (${stage.stageName})`,
      terminationProtection: settings.tables.deletionProtection,
    });
    const { stageName } = stage;
    const tables = addTables(this, settings.tables);
    const functions = addFunctions(this, { stageName, settings, tables });
    const api = new InventoryApi(this, 'Api', { stageName, settings, functions });
    const parts = { stageName, api, functions, tables };
    const alarms = new Alarms(this, 'Alarms', { parts, email: settings.alarmEmail });
    addDashboard(this, { parts, alarms, queryNames: addLogQueries(this, parts) });

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'RestApiId', { value: api.restApiId });
    new CfnOutput(this, 'InventoryTableName', { value: tables.Inventory.tableName });
    new CfnOutput(this, 'ApiKeysTableName', { value: tables.ApiKeys.tableName });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
    // Without this output, `petstore keys create --read-only` issues no key: an older version of
    // the service might let it write.
    new CfnOutput(this, 'ReadOnlyKeys', { value: 'enforced' });
  }
}
