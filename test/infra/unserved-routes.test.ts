import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract, errorAnswer, send } from '../http-client.ts';
import { type LocalRun, localRun } from '../local-run.ts';

const pathNotFound = errorAnswer(404, 'path_not_found', 'No operation has this path and method.');
const only = (method: string) => errorAnswer(405, 'method_not_allowed', `${method} is the only method of this path.`);

describe('what no operation serves', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const answers = async (method: string, path: string, contentType = 'application/json') => {
    const { origin } = new URL(run.baseUrl);
    const message = { method, path: `/staging${path}`, body: method === 'GET' ? undefined : 'a=b' };
    return Promise.all(
      [{}, { Authorization: `Bearer ${run.apiKey}` }, { Authorization: 'Bearer x' }].map((headers) =>
        send(origin, { ...message, headers: { ...headers, 'Content-Type': contentType } }),
      ),
    );
  };

  test.each([
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/v1'],
    ['POST', '/v1/'],
    ['GET', '/v1/pets/1'],
    ['DELETE', '/v1/inventory/1/history'],
    ['GET', '/v2/inventory'],
    ['GET', '/v1/Inventory'],
    ['GET', '//v1/inventory'],
    ['GET', '/v1/../v1/inventory'],
    ['GET', '/v1%2Finventory'],
  ])('%s %s answers 404, with or without a key', async (method, path) => {
    for (const answer of await answers(method, path)) {
      expect(contract(answer)).toEqual(pathNotFound);
    }
  });

  test.each([
    ['POST', '/v1/inventory', 'GET'],
    ['DELETE', '/v1/inventory/', 'GET'],
    ['OPTIONS', '/v1/inventory', 'GET'],
    ['GET', '/v1/inventory/1', 'PATCH'],
    ['PUT', '/v1/inventory/abc', 'PATCH'],
  ])('%s %s answers 405 and allows %s, with or without a key', async (method, path, allowed) => {
    for (const answer of await answers(method, path)) {
      expect(contract(answer)).toEqual(only(allowed));
      expect(answer.headers.allow).toBe(allowed);
    }
  });

  test.each([
    'text/plain; charset=utf-8',
    'Application/XML',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('answers the same to a body of %s', async (contentType) => {
    for (const answer of await answers('POST', '/v1/inventory', contentType)) {
      expect(contract(answer)).toEqual(only('GET'));
    }
  });

  test('answers 404 to content types that the mock integrations do not know', async () => {
    for (const answer of await answers('POST', '/v1/inventory', 'image/png')) {
      expect(contract(answer)).toEqual(pathNotFound);
    }
  });

  test('HEAD is no GET', async () => {
    const [answer] = await answers('HEAD', '/v1/inventory');
    expect(answer).toMatchObject({ status: 405, text: '' });
  });
});
