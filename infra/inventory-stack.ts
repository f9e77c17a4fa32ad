import { CfnOutput, Stack, type Stage } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import { type Attribute, AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { InventoryApi } from './api/inventory-api.ts';
import { ServiceFunction } from './lambda/service-function.ts';
import { Alarms } from './observability/alarms.ts';
import { addDashboard } from './observability/dashboard.ts';
import { addLogQueries } from './observability/log-queries.ts';
import type { StageSettings } from './settings/stage-settings.ts';
import { listTimeout } from './settings/time-limits.ts';

/** The stack that contains the whole service of one CDK Stage. */
export class InventoryStack extends Stack {
  constructor(stage: Stage, id: string, settings: StageSettings) {
    const { deletionProtection: terminationProtection } = settings.tables;
    super(stage, id, {
      description: `Petstore inventory service (${stage.stageName})`,
      terminationProtection,
    });
    const { stageName } = stage;
    const { deploymentConfig, reservedConcurrency: reserved } = settings.list;
    const timeout = listTimeout(settings);

    const tables = {
      Inventory: this.#table(
        'InventoryTable',
        { name: 'petId', type: AttributeType.NUMBER },
        settings,
      ),
      ApiKeys: this.#table(
        'ApiKeysTable',
        { name: 'keyHash', type: AttributeType.STRING },
        settings,
      ),
    };
    const common = { application: new LambdaApplication(this, 'Deployments'), settings };
    const functions = {
      Authorizer: new ServiceFunction(this, 'Authorizer', {
        ...common,
        entryPoint: 'authorizer',
        description: 'Checks the bearer API key of a request',
        environment: { STAGE_NAME: stageName, API_KEYS_TABLE_NAME: tables.ApiKeys.tableName },
        table: tables.ApiKeys,
        action: 'dynamodb:GetItem',
      }),
      ListInventory: new ServiceFunction(this, 'ListInventory', {
        ...common,
        entryPoint: 'list-inventory',
        description: 'GET /inventory',
        environment: {
          STAGE_NAME: stageName,
          INVENTORY_TABLE_NAME: tables.Inventory.tableName,
          LIST_TIMEOUT_SECONDS: String(timeout.toSeconds()),
        },
        table: tables.Inventory,
        action: 'dynamodb:Scan',
        timeout,
        deploymentConfig,
        ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      }),
      UpdateInventory: new ServiceFunction(this, 'UpdateInventory', {
        ...common,
        entryPoint: 'update-inventory',
        description: 'PATCH /inventory/{petId}',
        environment: { STAGE_NAME: stageName, INVENTORY_TABLE_NAME: tables.Inventory.tableName },
        table: tables.Inventory,
        action: 'dynamodb:UpdateItem',
      }),
    };

    const api = new InventoryApi(this, 'Api', stageName, settings, functions);
    const observed = { stageName, api, functions, tables };
    const alarms = new Alarms(this, 'Alarms', observed, settings.alarmEmail);
    addDashboard(this, observed, alarms, addLogQueries(this, observed));

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'RestApiId', { value: api.restApiId });
    new CfnOutput(this, 'InventoryTableName', { value: tables.Inventory.tableName });
    new CfnOutput(this, 'ApiKeysTableName', { value: tables.ApiKeys.tableName });
  }

  #table(id: string, partitionKey: Attribute, { tables }: StageSettings): TableV2 {
    const {
      ceiling,
      replicaRegions = [],
      pointInTimeRecovery: pointInTimeRecoveryEnabled,
      ...protection
    } = tables;
    return new TableV2(this, id, {
      partitionKey,
      billing: Billing.onDemand(
        ceiling && { maxReadRequestUnits: ceiling.read, maxWriteRequestUnits: ceiling.write },
      ),
      ...protection,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled },
      replicas: replicaRegions.map((region) => ({ region })),
    });
  }
}
