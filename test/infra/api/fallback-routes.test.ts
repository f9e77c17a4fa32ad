import { beforeAll, expect, test } from '@jest/globals';
import { contract, errorResponse } from '../../support/http-client.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { responsesTo } from '../../system/acceptance/fallback-routes.ts';

let run: LocalRun;
beforeAll(async () => {
  run = await localRun();
});

const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');
const onlyGet = errorResponse(405, 'method_not_allowed', 'GET is the only method of this path.');

/** Besides what every deployment is checked for: what only AWS itself could confirm. */
test.each([
  ['GET', '//v1/inventory', undefined, pathNotFound],
  ['GET', '/v1/../v1/inventory', undefined, pathNotFound],
  ['GET', '/v1%2Finventory', undefined, pathNotFound],
  ['POST', '/v1/inventory', 'Application/XML', onlyGet],
  ['POST', '/v1/inventory', 'multipart/form-data; boundary=x', onlyGet],
  // A content type that the mock integrations do not know.
  ['POST', '/v1/inventory', 'image/png', pathNotFound],
])('locally, %s %s with a body of %s is served by no operation', async (method, path, contentType, expected) => {
  const responses = await responsesTo(run, method, path, contentType);
  expect(responses.map(contract)).toEqual(responses.map(() => expected));
});
