import { expect, test } from '@jest/globals';
import { headerNames, readRequest } from '../../../functions/http/request.ts';
import { eventOf } from '../../support/functions/functions.ts';
import { allOperations, openapi } from '../../support/http/openapi.ts';

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

const described = allOperations.flatMap(({ parameters }) => parameters);

test('of a path and a query, the parameters of the contract are read, and no others', () => {
  const read = new Set<string>();
  readRequest({
    ...eventOf(),
    pathParameters: noting('path', read),
    queryStringParameters: noting('query', read),
    multiValueQueryStringParameters: noting('query', read),
  });
  const expected = described
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place }) => `${place} ${name}`);
  expect([...read].sort()).toStrictEqual([...new Set(expected)].sort());
});

// The compiler lets no code read another header than these.
test('of the headers, those that the contract describes are read, and no others', () => {
  // As parameters, OpenAPI ignores the first two, and generated clients would have to set the others.
  const inWords = ['Authorization', 'Content-Type', 'Accept-Encoding', 'If-None-Match'];
  const text = JSON.stringify(openapi);
  expect(inWords.filter((name) => !text.includes(name))).toStrictEqual([]);
  const names = described.filter(({ in: place }) => place === 'header').map(({ name }) => name);
  const expected = [...inWords, ...names].map((name) => name.toLowerCase());
  expect(headerNames.toSorted()).toStrictEqual([...new Set(expected)].sort());
});
