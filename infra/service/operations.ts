/** The part of every path that precedes those of openapi.yaml. */
export const basePath = '/v1';

export type TableName = 'Inventory' | 'ApiKeys' | 'Receipts';

/** What a function does with one table. */
interface TableAccess {
  /** The actions that its role allows. */
  actions: readonly `dynamodb:${string}`[];
  /** The requests that it makes, by the names under which CloudWatch counts them. */
  calls: readonly string[];
}

/** A Lambda function of the service, and what it may do. */
export interface FunctionSpec {
  /** Its logical id in the template. */
  name: string;
  /** A file in functions/, without its extension. */
  entryPoint: string;
  description: string;
  tables: { readonly [Name in TableName]?: TableAccess };
  /** Whether it streams its responses. Then it has the limits of a list, else those of a request. */
  streams: boolean;
}

/** An operation of openapi.yaml, which has a function of its own. */
export interface Operation extends FunctionSpec {
  operationId: string;
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Its path in openapi.yaml. */
  path: `/${string}`;
  /** What a key must be allowed to do. A key that may only read gets a 403 from the others. */
  access: 'read' | 'write';
}

export const listInventory = {
  operationId: 'listInventory',
  method: 'GET',
  path: '/inventory',
  name: 'ListInventory',
  entryPoint: 'list-inventory',
  description: 'GET /inventory',
  tables: { Inventory: { actions: ['dynamodb:Scan'], calls: ['Scan'] } },
  access: 'read',
  // The whole table.
  streams: true,
} as const satisfies Operation;

export const updateInventory = {
  operationId: 'updateInventory',
  method: 'PATCH',
  path: '/inventory/{petId}',
  name: 'UpdateInventory',
  entryPoint: 'update-inventory',
  description: 'PATCH /inventory/{petId}',
  // A transaction has no action of its own, but those of its parts.
  tables: {
    Inventory: { actions: ['dynamodb:UpdateItem'], calls: ['UpdateItem', 'TransactWriteItems'] },
    Receipts: { actions: ['dynamodb:PutItem'], calls: ['PutItem', 'TransactWriteItems'] },
  },
  access: 'write',
  streams: false,
} as const satisfies Operation;

/** All of them. What is deployed and watched for each follows from its row here. */
export const operations = [listInventory, updateInventory] as const;

export type OperationId = (typeof operations)[number]['operationId'];

/** The function that checks the API key of every request. It belongs to no operation. */
export const authorizer = {
  name: 'Authorizer',
  entryPoint: 'authorizer',
  description: 'Checks the bearer API key of a request',
  tables: { ApiKeys: { actions: ['dynamodb:GetItem'], calls: ['GetItem'] } },
  streams: false,
} as const satisfies FunctionSpec;

export const functionSpecs = [authorizer, ...operations] as const;

export type FunctionName = (typeof functionSpecs)[number]['name'];

/** Returns the tables of a function, and what it does with each. */
export const tablesOf = ({ tables }: FunctionSpec) =>
  Object.entries(tables) as [TableName, TableAccess][];
