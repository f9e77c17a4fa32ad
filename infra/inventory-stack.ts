import { Annotations, CfnOutput, Stack, type Stage } from 'aws-cdk-lib';
import { InventoryApi } from './api/inventory-api.ts';
import { addFunctions } from './lambda/service-functions.ts';
import { Alarms } from './observability/alarms.ts';
import { addDashboard } from './observability/dashboard.ts';
import { addLogQueries } from './observability/log-queries.ts';
import { addTables } from './service/tables.ts';
import { checkLimits } from './settings/limits.ts';
import type { StageSettings } from './settings/stage-settings.ts';
import { repository } from './settings/stages.ts';

interface InventoryStackProps {
  settings: StageSettings;
  commit: string | undefined;
}

/** The stack that contains the whole service of one CDK Stage. */
export class InventoryStack extends Stack {
  constructor(stage: Stage, id: string, { settings, commit }: InventoryStackProps) {
    super(stage, id, {
      description: `Petstore inventory service (${stage.stageName})`,
      terminationProtection: settings.isProtected,
    });
    checkLimits(settings);
    warnOfUnheardAlarms(this, settings);
    const { stageName } = stage;
    const tables = addTables(this, settings);
    const functions = addFunctions(this, { stageName, settings, tables });
    const api = new InventoryApi(this, 'Api', { stageName, settings, functions, commit });
    const parts = { stageName, api, functions, tables };
    const alarms = new Alarms(this, 'Alarms', {
      parts,
      email: settings.alarmEmail,
      certificateArn: settings.customDomain?.certificateArn,
    });
    addDashboard(this, { parts, alarms, queryNames: addLogQueries(this, parts) });

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'InventoryTableName', { value: tables.Inventory.tableName });
    new CfnOutput(this, 'ApiKeysTableName', { value: tables.ApiKeys.tableName });
    new CfnOutput(this, 'ReceiptsTableName', { value: tables.Receipts.tableName });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn });
  }
}

/** A stage whose data matters should not fail unseen, and whoever is woken should find the page. */
const warnOfUnheardAlarms = (stack: Stack, { alarmEmail, isProtected }: StageSettings): void => {
  const problems = {
    alarmEmail: !alarmEmail && 'No alarm of this stage notifies anybody.',
    repository: !repository && 'No e-mail of an alarm of this stage links to the runbook.',
  };
  for (const [setting, problem] of Object.entries(problems)) {
    if (isProtected && problem) {
      const warning = `${problem} Set ${setting} in infra/settings/stages.ts.`;
      Annotations.of(stack).addWarningV2(`petstore:no-${setting}`, warning);
    }
  }
};
