import { CfnOutput, Duration, type RemovalPolicy, Stack, type Stage } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  ResponseTransferMode,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { type Attribute, AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { apiKeyPattern } from '../functions/keys/api-key.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { ServiceFunction } from './service-function.ts';

/** What differs between the stages. */
export interface StageSettings {
  tables: { removalPolicy: RemovalPolicy; deletionProtection: boolean; pointInTimeRecovery: boolean };
}

/**
 * How long a list may take. The most that Lambda streams are 200 MB, in 97 s: 6 MB at once and 2 MB/s
 * from there. The rest is for clients that are up to three times slower.
 */
const listTimeout = Duration.minutes(5);

/** The gateway's time also holds a cold function's init, which its own does not. */
const initTimeout = Duration.seconds(10);

/** The whole service, for the CDK Stage it is placed in. */
export class InventoryStack extends Stack {
  constructor(stage: Stage, id: string, settings: StageSettings) {
    super(stage, id, { description: `Petstore inventory service (${stage.stageName})` });
    const { stageName } = stage;

    const inventoryTable = this.#table('InventoryTable', { name: 'petId', type: AttributeType.NUMBER }, settings);
    const apiKeysTable = this.#table('ApiKeysTable', { name: 'keyHash', type: AttributeType.STRING }, settings);

    const authorizer = new ServiceFunction(this, 'Authorizer', {
      entryPoint: 'authorizer',
      description: 'Checks the bearer API key of a request',
      environment: { STAGE_NAME: stageName, API_KEYS_TABLE_NAME: apiKeysTable.tableName },
      table: apiKeysTable,
      action: 'dynamodb:GetItem',
    });
    const listInventory = new ServiceFunction(this, 'ListInventory', {
      entryPoint: 'list-inventory',
      description: 'GET /inventory',
      environment: {
        INVENTORY_TABLE_NAME: inventoryTable.tableName,
        // All of a list is garbage soon. V8 would give it up to 128 MB of new space, and gain no speed.
        NODE_OPTIONS: '--max-semi-space-size=16',
      },
      table: inventoryTable,
      action: 'dynamodb:Scan',
      timeout: listTimeout,
    });
    const updateInventory = new ServiceFunction(this, 'UpdateInventory', {
      entryPoint: 'update-inventory',
      description: 'PATCH /inventory/{petId}',
      environment: { INVENTORY_TABLE_NAME: inventoryTable.tableName },
      table: inventoryTable,
      action: 'dynamodb:UpdateItem',
    });

    const api = new RestApi(this, 'Api', {
      restApiName: this.stackName,
      description: this.templateOptions.description ?? '',
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName },
      defaultMethodOptions: {
        authorizer: new TokenAuthorizer(this, 'ApiKeyAuthorizer', {
          handler: authorizer,
          // Whatever cannot be a key of this stage is refused by API Gateway itself.
          validationRegex: `^[Bb][Ee][Aa][Rr][Ee][Rr] +${apiKeyPattern(stageName)}$`,
          // How long a revoked key may still work.
          resultsCacheTtl: Duration.minutes(1),
        }),
      },
    });
    addGatewayResponses(api);

    const inventory = api.root.addResource('v1').addResource('inventory');
    const streaming = new LambdaIntegration(listInventory, {
      allowTestInvoke: false,
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: listTimeout.plus(initTimeout),
    });
    inventory.addMethod('GET', streaming, { operationName: 'listInventory' });
    inventory
      .addResource('{petId}')
      .addMethod('PATCH', new LambdaIntegration(updateInventory, { allowTestInvoke: false }), {
        operationName: 'updateInventory',
      });

    // CDK's own output of the URL lacks the /v1 that every client needs.
    api.node.tryRemoveChild('Endpoint');
    new CfnOutput(this, 'BaseUrl', { value: api.urlForPath('/v1') });
    new CfnOutput(this, 'InventoryTableName', { value: inventoryTable.tableName });
    new CfnOutput(this, 'ApiKeysTableName', { value: apiKeysTable.tableName });
  }

  #table(id: string, partitionKey: Attribute, { tables }: StageSettings): TableV2 {
    return new TableV2(this, id, {
      partitionKey,
      billing: Billing.onDemand(),
      removalPolicy: tables.removalPolicy,
      deletionProtection: tables.deletionProtection,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: tables.pointInTimeRecovery },
    });
  }
}
