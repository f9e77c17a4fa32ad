import type { StageSettings, Throttling } from '../settings/stage-settings.ts';

/** The part of every path that precedes those of openapi.yaml. */
export const basePath = '/v1';

export type TableName = 'Inventory' | 'ApiKeys';

/** A Lambda function of the service, and the one thing that it may do. */
export interface FunctionSpec {
  /** A file in functions/, without its extension. */
  entryPoint: string;
  description: string;
  table: TableName;
  /** The one action that its role allows, on this table. */
  action: `dynamodb:${string}`;
}

export interface Operation extends FunctionSpec {
  /** Its name in openapi.yaml. That of its function begins with a capital letter. */
  operationId: string;
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Its path in openapi.yaml. */
  path: `/${string}`;
  /** What a key must be allowed to do. A key that may only read gets a 403 from the others. */
  access: 'read' | 'write';
  throttling: (settings: StageSettings) => Throttling;
  /**
   * Whether it lists a whole table. Then it streams its response, has the settings and the time of
   * `list`, and the firewall counts it as a list.
   */
  lists: boolean;
}

/**
 * The operations of the service. The routes and fallbacks, functions and their permissions,
 * throttling, the firewall's rules, alarms and dashboard are made from this table.
 */
export const operations = [
  {
    operationId: 'listInventory',
    method: 'GET',
    path: '/inventory',
    entryPoint: 'list-inventory',
    description: 'GET /inventory',
    table: 'Inventory',
    action: 'dynamodb:Scan',
    access: 'read',
    throttling: ({ list }) => list.throttling,
    lists: true,
  },
  {
    operationId: 'updateInventory',
    method: 'PATCH',
    path: '/inventory/{petId}',
    entryPoint: 'update-inventory',
    description: 'PATCH /inventory/{petId}',
    table: 'Inventory',
    action: 'dynamodb:UpdateItem',
    access: 'write',
    throttling: ({ throttling }) => throttling,
    lists: false,
  },
] as const satisfies Operation[];

export type OperationId = (typeof operations)[number]['operationId'];

/** The function that checks the API key of every request. It belongs to no operation. */
export const authorizer = {
  entryPoint: 'authorizer',
  description: 'Checks the bearer API key of a request',
  table: 'ApiKeys',
  action: 'dynamodb:GetItem',
} as const satisfies FunctionSpec;

/** The name of a function: its logical id in the template. */
export type FunctionName = 'Authorizer' | Capitalize<OperationId>;

export const functionNameOf = <Id extends OperationId>(operationId: Id) =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}` as Capitalize<Id>;
