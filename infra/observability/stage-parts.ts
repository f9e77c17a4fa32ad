import { Aws } from 'aws-cdk-lib';
import type { InventoryApi } from '../api/inventory-api.ts';
import type { ServiceFunctions } from '../lambda/service-functions.ts';
import type { Tables } from '../service/tables.ts';

/** The parts of a stage that the alarms, the dashboard and the saved queries look at. */
export interface StageParts {
  stageName: string;
  api: InventoryApi;
  functions: ServiceFunctions;
  tables: Tables;
}

/** Returns the name of the stage's dashboard. An account has one list of them for all regions. */
export const dashboardNameOf = (stageName: string): string =>
  `petstore-inventory-${stageName}-${Aws.REGION}`;
