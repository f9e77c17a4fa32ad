import { expect, test } from '@jest/globals';
import { operations } from '../../infra/service/operations.ts';
import { succeeded } from '../support/http/http-client.ts';
import { allOperations } from '../support/http/openapi.ts';
import { mayChange } from './service.ts';

test('each operation has succeeded, except those that may change nothing here', () => {
  const expected = operations.filter(({ access }) => access === 'read' || mayChange);
  expect(
    expected.filter(({ operationId }) => !succeeded.has(operationId)).map(({ path }) => path),
  ).toStrictEqual([]);
});

// A read-only run requests one list alone.
(mayChange ? test : test.skip)('each parameter of the contract was sent, and has succeeded', () => {
  const parameters = allOperations.flatMap(({ operationId, parameters: all }) =>
    all.map(({ name }) => `${operationId} ${name}`),
  );
  expect(parameters.filter((parameter) => !succeeded.has(parameter))).toStrictEqual([]);
});
