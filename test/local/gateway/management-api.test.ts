import { expect, jest, test } from '@jest/globals';
import { isManagement, managementApi } from '../../../local/gateway/management-api.ts';
import { sendRaw } from '../../support/http-client.ts';
import { serve } from '../../support/serve.ts';

const flush = '/restapis/local/stages/test/cache/authorizers';

test.each([
  ['DELETE', flush, 202, 1],
  ['GET', flush, 404, 0],
  ['DELETE', '/restapis/local/stages/other/cache/authorizers', 404, 0],
  ['DELETE', '/restapis/other/stages/test/cache/authorizers', 404, 0],
  ['DELETE', '/restapis/local/stages/test/cache/data', 404, 0],
])('%s %s is a %i', async (method, path, status, flushes) => {
  const flushAuthorizersCache = jest.fn();
  const url = await serve(managementApi({ id: 'local', stageName: 'test', flushAuthorizersCache } as never));
  expect(isManagement(path)).toBe(true);
  expect(await sendRaw(url, { method, path })).toMatchObject({ status });
  expect(flushAuthorizersCache).toHaveBeenCalledTimes(flushes);
});
