import { Duration, type Stack } from 'aws-cdk-lib';
import { functionTimeout, listTimeout } from '../../functions/shared/time-limits.ts';
import {
  type FunctionName,
  type FunctionSpec,
  functionSpecs,
  tablesOf,
} from '../service/operations.ts';
import { type Tables, tableSpecs } from '../service/tables.ts';
import type { StageSettings } from '../settings/stage-settings.ts';
import { changeTogether } from './change-together.ts';
import { addDeployments } from './deployments.ts';
import { ServiceFunction } from './service-function.ts';

export type ServiceFunctions = Record<FunctionName, ServiceFunction>;

interface ServiceFunctionsProps {
  stageName: string;
  settings: StageSettings;
  tables: Tables;
}

/** Adds the authorizer, and a function for each operation. */
export const addFunctions = (
  stack: Stack,
  { stageName, settings, tables }: ServiceFunctionsProps,
): ServiceFunctions => {
  const add = (spec: FunctionSpec): ServiceFunction =>
    new ServiceFunction(stack, spec.name, {
      spec,
      tables,
      environment: {
        STAGE_NAME: stageName,
        ...Object.fromEntries(
          tablesOf(spec).map(([name]) => [tableSpecs[name].variable, tables[name].tableName]),
        ),
      },
      // Clients decide how long a function that streams runs.
      timeout: Duration.millis(spec.streams ? listTimeout : functionTimeout),
      settings,
    });
  const functions = Object.fromEntries(functionSpecs.map((spec) => [spec.name, add(spec)]));
  const all = Object.values(functions);
  changeTogether(all);
  addDeployments(stack, {
    aliases: all.map(({ liveAlias }) => liveAlias),
    deploymentConfig: settings.deploymentConfig,
  });
  return functions as ServiceFunctions;
};
