import { expect, test } from '@jest/globals';
import { readRequest } from '../../../functions/http/request.ts';
import { eventOf } from '../../support/functions/functions.ts';
import { allOperations } from '../../support/http/openapi.ts';

/** Returns parameters of an event that note each name that is read. */
const noting = (place: string, read: Set<string>) =>
  new Proxy<Record<string, never>>(
    {},
    {
      get: (_, name) => void read.add(`${place} ${String(name)}`),
      ownKeys: () => {
        throw new Error('Read each parameter by its name: this test sees no other way.');
      },
    },
  );

test('of a path and a query, the parameters of the contract are read, and no others', () => {
  const read = new Set<string>();
  readRequest({
    ...eventOf(),
    pathParameters: noting('path', read),
    queryStringParameters: noting('query', read),
    multiValueQueryStringParameters: noting('query', read),
  });
  const described = allOperations
    .flatMap(({ parameters }) => parameters)
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place }) => `${place} ${name}`);
  expect([...read].sort()).toStrictEqual([...new Set(described)].sort());
});
