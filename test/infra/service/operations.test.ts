import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { authorizer, functionNameOf, operations } from '../../../infra/service/operations.ts';
import { deliveredStack } from '../../support/stack/in-process.ts';
import { calls, probes } from '../../system/faults/probes.ts';
import { documentedOperations } from './documented-operations.ts';
import { grantsOf } from './grants.ts';

interface Row {
  operationId: string;
}

const sorted = <Each extends Row>(rows: Each[]): Each[] =>
  rows.toSorted((a, b) => a.operationId.localeCompare(b.operationId));

/** The table of operations, without the members that are not in `keys`. */
const table = (...keys: (keyof (typeof operations)[number])[]) =>
  sorted(
    operations.map((operation) => ({
      ...Object.fromEntries(keys.map((key) => [key, operation[key]])),
      operationId: operation.operationId,
    })),
  );

test('the table has each operation of openapi.yaml, and says which of them list', () => {
  const documented = documentedOperations.map(({ functionName, ...operation }) => operation);
  expect(table('method', 'path', 'lists')).toEqual(sorted(documented));
});

/** The operation that the lines of a function's log name. */
const logged = [
  { operation: 'authorize', action: authorizer.action },
  ...operations.map(({ operationId, action }) => ({ operation: operationId, action })),
];

// test/system/faults shows that the functions make these calls.
test('each action of the table is the call that the fault probes see', () => {
  expect(Object.fromEntries(logged.map(({ operation, action }) => [operation, action]))).toEqual(
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, `dynamodb:${call}`])),
  );
});

test('each operation has a fault probe', () => {
  const probed = new Set(Object.values(probes).map(({ operation }) => operation));
  expect([...probed].sort()).toEqual(logged.map(({ operation }) => operation).sort());
});

test('each entry point of the table is a file', () => {
  const files = [authorizer, ...operations].map(({ entryPoint }) => `functions/${entryPoint}.ts`);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

describe('prod has, for each operation,', () => {
  test('a function with one action on one table', () => {
    const specs = [
      { name: 'Authorizer', ...authorizer },
      ...operations.map((each) => ({ name: functionNameOf(each.operationId), ...each })),
    ];
    expect(grantsOf(deliveredStack('prod'))).toEqual(
      specs.map(({ name, action, table }) => ({
        functionName: name,
        action: action.replace('dynamodb:', ''),
        table,
      })),
    );
  });

  test('a method that invokes its function, streams if it lists, and needs a key', () => {
    const routed = deliveredStack('prod')
      .all('AWS::ApiGateway::Method')
      .filter(({ OperationName }) => OperationName)
      .map((method) => ({
        operationId: method.OperationName,
        invokes: /(?<=functions\/<)\w+(?=Live>)/.exec(method.Integration.Uri)?.[0],
        lists: method.Integration.ResponseTransferMode === 'STREAM',
        authorization: method.AuthorizationType,
      }));
    const expected = operations.map(({ operationId, lists }) => ({
      operationId,
      lists,
      invokes: functionNameOf(operationId),
      authorization: 'CUSTOM',
    }));
    expect(sorted(routed)).toEqual(sorted(expected));
  });
});
