import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract, errorResponse } from '../../support/http-client.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { answersOf } from '../../system/acceptance/unserved-routes.ts';

/** Besides what every deployment is checked for. */
describe('what only AWS could confirm of the fallback routes, locally', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');

  test.each(['//v1/inventory', '/v1/../v1/inventory', '/v1%2Finventory'])('GET %s is a 404', async (path) => {
    for (const response of await answersOf(run, 'GET', path)) {
      expect(contract(response)).toEqual(pathNotFound);
    }
  });

  test.each(['Application/XML', 'multipart/form-data; boundary=x'])('knows a body of %s', async (contentType) => {
    for (const response of await answersOf(run, 'POST', '/v1/inventory', contentType)) {
      expect(contract(response)).toEqual(
        errorResponse(405, 'method_not_allowed', 'GET is the only method of this path.'),
      );
    }
  });

  test('content types that the mock integrations do not know are a 404', async () => {
    for (const response of await answersOf(run, 'POST', '/v1/inventory', 'image/png')) {
      expect(contract(response)).toEqual(pathNotFound);
    }
  });
});
