import { expect, test } from '@jest/globals';
import { operations } from '../../infra/service/operations.ts';
import { succeeded } from '../support/http/http-client.ts';
import { mayChange } from './service.ts';

test('each operation has succeeded, except those that may change nothing here', () => {
  const expected = operations.filter(({ access }) => access === 'read' || mayChange);
  expect(
    expected.filter(({ operationId }) => !succeeded.has(operationId)).map(({ path }) => path),
  ).toStrictEqual([]);
});
