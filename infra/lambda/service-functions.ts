import type { Stack } from 'aws-cdk-lib';
import { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import {
  authorizer,
  type FunctionSpec,
  functionNameOf,
  operations,
} from '../service/operations.ts';
import { type Tables, tableSpecs } from '../service/tables.ts';
import type { StageSettings } from '../settings/stage-settings.ts';
import { functionTimeout, listTimeout } from '../settings/time-limits.ts';
import { type FunctionLimits, ServiceFunction, type ServiceFunctions } from './service-function.ts';

export interface ServiceFunctionsProps {
  stageName: string;
  settings: StageSettings;
  tables: Tables;
}

/** Adds the authorizer, and a function for each operation. */
export const addFunctions = (
  stack: Stack,
  { stageName, settings, tables }: ServiceFunctionsProps,
): ServiceFunctions => {
  const application = new LambdaApplication(stack, 'Deployments');
  const add = (name: string, spec: FunctionSpec, limits: FunctionLimits): ServiceFunction =>
    new ServiceFunction(stack, name, {
      spec,
      table: tables[spec.table],
      environment: {
        STAGE_NAME: stageName,
        [tableSpecs[spec.table].variable]: tables[spec.table].tableName,
      },
      limits,
      application,
      settings,
    });
  const functions = { Authorizer: add('Authorizer', authorizer, stageLimits(settings)) };
  const ofOperations = operations.map((operation) => {
    const name = functionNameOf(operation.operationId);
    const limits = operation.lists ? listLimits(settings) : stageLimits(settings);
    return [name, add(name, operation, limits)];
  });
  return { ...functions, ...Object.fromEntries(ofOperations) };
};

const stageLimits = ({ deploymentConfig }: StageSettings): FunctionLimits => ({
  timeout: functionTimeout,
  streams: false,
  deploymentConfig,
});

const listLimits = (settings: StageSettings): FunctionLimits => {
  const timeout = listTimeout(settings);
  const { deploymentConfig, reservedConcurrency } = settings.list;
  return {
    timeout,
    streams: true,
    deploymentConfig,
    reservedConcurrency,
    environment: { LIST_TIMEOUT_SECONDS: String(timeout.toSeconds()) },
  };
};
