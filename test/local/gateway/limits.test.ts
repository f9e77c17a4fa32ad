import { describe, expect, test } from '@jest/globals';
import {
  internalServerError,
  oneResource,
  proxyMethod,
  resource,
  returning,
  serveFixture,
  servePets,
} from '../../support/fixture-gateway.ts';
import { sendRaw } from '../../support/http-client.ts';

describe('limits', () => {
  test('a function out of time is a 502; an integration out of time a 504', async () => {
    const never = {
      code: 'exports.handler = () => new Promise(() => setTimeout(() => {}, 60000));',
      timeoutSeconds: 1,
    };
    const integration = (TimeoutInMillis: number) => ({
      Integration: {
        Type: 'AWS_PROXY',
        Uri: (oneResource.Method.Properties as never as { Integration: { Uri: object } }).Integration.Uri,
        TimeoutInMillis,
      },
    });
    const url = await serveFixture(
      { Handler: never },
      {
        Slow: resource('slow'),
        Slower: resource('slower'),
        A: proxyMethod({ Ref: 'Slow' }, 'GET', integration(5_000)),
        B: proxyMethod({ Ref: 'Slower' }, 'GET', integration(200)),
      },
    );
    expect(await sendRaw(url, { path: '/slow' })).toMatchObject(internalServerError);
    expect(await sendRaw(url, { path: '/slower' })).toMatchObject({
      status: 504,
      body: { message: 'Endpoint request timed out' },
    });
  });

  test('a request of more than 10 MB, or more than Lambda takes, is a 413', async () => {
    const url = await servePets('{ statusCode: 200 }');
    const post = (megabytes: number) =>
      sendRaw(url, { method: 'POST', path: '/pets', body: Buffer.alloc(megabytes * 1024 * 1024, 'x') });

    expect(await post(5)).toMatchObject({ status: 200 });
    expect(await post(7)).toMatchObject({ status: 413, body: { message: 'Request Entity Too Large' } });
    expect(await post(11)).toMatchObject({
      status: 413,
      headers: { 'content-type': 'text/plain' },
      body: 'HTTP content length exceeded 10485760 bytes.',
    });
  });

  describe('throttling', () => {
    const pets = {
      Pets: resource('pets'),
      A: proxyMethod({ Ref: 'Pets' }, 'GET'),
      B: proxyMethod({ Ref: 'Pets' }, 'ANY'),
    };
    const setting = (HttpMethod: string, ResourcePath: string, ThrottlingBurstLimit: number) => ({
      HttpMethod,
      ResourcePath,
      ThrottlingRateLimit: 0.001,
      ThrottlingBurstLimit,
    });
    /** How many of five requests each get through, one method after the other. */
    const letThrough = async (settings: object[], ...methods: string[]) => {
      const url = await serveFixture(returning('{ statusCode: 200 }'), pets, { MethodSettings: settings });
      const passed: number[] = [];
      for (const method of methods) {
        const statuses = [];
        for (let i = 0; i < 5; i++) {
          statuses.push((await sendRaw(url, { method, path: '/pets' })).status);
        }
        expect(new Set(statuses).difference(new Set([200, 429])).size).toBe(0);
        passed.push(statuses.filter((status) => status === 200).length);
      }
      return passed;
    };

    test('counts each method of the stage by itself; those of ANY together', async () => {
      expect(await letThrough([setting('*', '/*', 2)], 'GET', 'PUT', 'POST')).toEqual([2, 2, 0]);
    });

    test('of one method comes before that of all', async () => {
      const settings = [setting('*', '/*', 2), setting('GET', '/~1pets', 4), setting('GET', '/~1dogs', 1)];
      expect(await letThrough(settings, 'GET', 'PUT')).toEqual([4, 2]);
      expect(await letThrough([setting('GET', '/~1pets', 1)], 'GET', 'PUT')).toEqual([1, 5]);
    });
  });

  test('a function that API Gateway may not invoke from there is a 500', async () => {
    const Handler = { code: 'exports.handler = async () => ({ statusCode: 200 });', permittedSource: 'test/GET/pets' };
    const url = await serveFixture(
      { Handler },
      { Pets: resource('pets'), A: proxyMethod({ Ref: 'Pets' }, 'GET'), B: proxyMethod({ Ref: 'Pets' }, 'POST') },
    );
    expect((await sendRaw(url, { path: '/pets' })).status).toBe(200);
    expect(await sendRaw(url, { method: 'POST', path: '/pets' })).toMatchObject({
      status: 500,
      body: { message: 'Internal server error' },
    });
  });
});
