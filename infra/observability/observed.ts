import type { Method } from 'aws-cdk-lib/aws-apigateway';
import type { InventoryApi } from '../api/inventory-api.ts';
import type { ServiceFunction, ServiceFunctions } from '../lambda/service-function.ts';
import {
  authorizer,
  type FunctionName,
  type FunctionSpec,
  functionNameOf,
  operations,
} from '../service/operations.ts';
import type { Tables } from '../service/tables.ts';

/** The parts of a stage that the alarms, the dashboard and the log queries observe. */
export interface Observed {
  stageName: string;
  api: InventoryApi;
  functions: ServiceFunctions;
  tables: Tables;
}

/** A function of a stage, with its one table and the action that it takes there. */
export interface ObservedFunction extends FunctionSpec {
  name: FunctionName;
  lambda: ServiceFunction;
}

/** A function that serves an operation. */
export interface ObservedOperation extends ObservedFunction {
  operationId: string;
  lists: boolean;
  /** The operation's method in API Gateway. */
  route: Method;
}

export const authorizerOf = ({ functions }: Observed): ObservedFunction => ({
  ...authorizer,
  name: 'Authorizer',
  lambda: functions.Authorizer,
});

export const operationsOf = ({ api, functions }: Observed): ObservedOperation[] =>
  operations.map((operation) => {
    const name = functionNameOf(operation.operationId);
    const route = api.operations[operation.operationId];
    return { ...operation, name, lambda: functions[name], route };
  });

export const functionsOf = (observed: Observed): ObservedFunction[] => [
  authorizerOf(observed),
  ...operationsOf(observed),
];

/** Returns a function for each action on a table, which several operations may share. */
export const tableActionsOf = (observed: Observed): ObservedFunction[] => {
  const byAction = new Map(functionsOf(observed).map((each) => [tableAction(each), each]));
  return [...byAction.values()];
};

/** Returns a table and an action on it in a word. */
export const tableAction = (watched: ObservedFunction): string =>
  `${watched.table}${shortAction(watched)}`;

/** Returns an action without `dynamodb:`, as DynamoDB's metrics call it. */
export const shortAction = ({ action }: FunctionSpec): string => action.replace('dynamodb:', '');
