import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract, errorResponse } from '../../support/http-client.ts';
import { type LocalRun, localRun } from '../../support/local-run.ts';
import { responsesTo } from '../../system/acceptance/fallback-routes.ts';

/** Besides what every deployment is checked for: what only AWS itself could confirm. */
describe('what no operation serves, locally', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');

  test.each(['//v1/inventory', '/v1/../v1/inventory', '/v1%2Finventory'])('GET %s responds 404', async (path) => {
    for (const response of await responsesTo(run, 'GET', path)) {
      expect(contract(response)).toEqual(pathNotFound);
    }
  });

  test.each(['Application/XML', 'multipart/form-data; boundary=x'])('knows a body of %s', async (contentType) => {
    for (const response of await responsesTo(run, 'POST', '/v1/inventory', contentType)) {
      expect(contract(response)).toEqual(
        errorResponse(405, 'method_not_allowed', 'GET is the only method of this path.'),
      );
    }
  });

  test('responds 404 to content types that the mock integrations do not know', async () => {
    for (const response of await responsesTo(run, 'POST', '/v1/inventory', 'image/png')) {
      expect(contract(response)).toEqual(pathNotFound);
    }
  });
});
