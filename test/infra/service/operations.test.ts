import { expect, test } from '@jest/globals';
import { operations } from '../../../infra/service/operations.ts';
import { openapi } from '../../../ops/acceptance/suite/openapi.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

interface Named {
  operationId: string;
}

const sorted = <Each extends Named>(rows: Each[]): Each[] =>
  rows.toSorted((a, b) => a.operationId.localeCompare(b.operationId));

test('the table has each operation of openapi.yaml', () => {
  const documented = Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
    })),
  );
  const rows = operations.map(({ operationId, method, path }) => ({ operationId, method, path }));
  expect(sorted<Named>(rows)).toEqual(sorted(documented));
});

test('a key that may only read can do a GET, and nothing else', () => {
  for (const { method, access } of operations) {
    expect({ method, access }).toEqual({ method, access: method === 'GET' ? 'read' : 'write' });
  }
});

test('the method of each operation invokes its function, if the authorizer allows it', () => {
  const methods = stackOf('prod')
    .all('AWS::ApiGateway::Method')
    .filter(({ OperationName }) => OperationName)
    .map(({ OperationName, AuthorizationType, Integration }) => ({
      operationId: OperationName,
      authorization: AuthorizationType,
      invokes: /(?<=functions\/).+/.exec(Integration.Uri)?.[0],
    }));
  expect(sorted(methods)).toEqual([
    {
      operationId: 'listInventory',
      authorization: 'CUSTOM',
      invokes: '<ListInventoryLive>/response-streaming-invocations',
    },
    {
      operationId: 'updateInventory',
      authorization: 'CUSTOM',
      invokes: '<UpdateInventoryLive>/invocations',
    },
  ]);
});
