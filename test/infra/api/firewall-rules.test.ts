import { expect, test } from '@jest/globals';
import { firewallRules } from '../../../infra/api/firewall-rules.ts';
import type { Operation } from '../../../infra/service/operations.ts';

const limits = { withoutKey: 1, perAddress: { lists: 2, all: 3 }, perKey: { lists: 4, all: 5 } };

type Route = Pick<Operation, 'method' | 'path' | 'lists'>;

const listOfPets: Route = { method: 'GET', path: '/pets', lists: true };
const listOfVisits: Route = { method: 'POST', path: '/pets/{petId}/visits', lists: true };
const noList: Route = { method: 'GET', path: '/pets/{petId}', lists: false };

/** Returns what the rule for lists counts in a service with these operations. */
const countedAsLists = (operations: Route[]) =>
  firewallRules({ limits, authorizationPattern: '^x$', operations }).find(
    ({ name }) => name === 'ListRequests',
  )?.counts;

const asItIs = [{ type: 'NONE', priority: 0 }];
const normal = [
  { type: 'URL_DECODE', priority: 0 },
  { type: 'NORMALIZE_PATH', priority: 1 },
];

/** A statement about the method and the path of a request. */
const statement = (method: string, path: string) => {
  const ofMethod = { regexString: method, fieldToMatch: { method: {} } };
  const ofPath = { regexString: path, fieldToMatch: { uriPath: {} } };
  return {
    andStatement: {
      statements: [
        { regexMatchStatement: { ...ofMethod, textTransformations: asItIs } },
        { regexMatchStatement: { ...ofPath, textTransformations: normal } },
      ],
    },
  };
};

const ofPets = statement('^GET$', '^(/[^/]+)?/v1/pets/?$');
const ofVisits = statement('^POST$', '^(/[^/]+)?/v1/pets/[^/]+/visits/?$');

test('the operation that lists is counted, and no other', () => {
  expect(countedAsLists([noList, listOfPets])).toEqual(ofPets);
});

test('each of several operations that list is counted', () => {
  expect(countedAsLists([listOfPets, noList, listOfVisits])).toEqual({
    orStatement: { statements: [ofPets, ofVisits] },
  });
});
