import { expect, jest, test } from '@jest/globals';
import { methodThrottle } from '../../../local/gateway/throttle.ts';

const setting = (HttpMethod: string, ResourcePath: string, ThrottlingBurstLimit: number) => ({
  HttpMethod,
  ResourcePath,
  ThrottlingBurstLimit,
  ThrottlingRateLimit: 1,
});

test.each([
  ['no method', [], [10, 10, 10]],
  ['all methods', [setting('*', '/*', 2)], [2, 1, 2]],
  [
    'this method and for all methods',
    [setting('GET', '/~1v1~1pets', 4), setting('*', '/*', 2)],
    [4, 1, 4],
  ],
  [
    'other methods and paths',
    [setting('PUT', '/~1v1~1pets', 1), setting('GET', '/~1v1~1dogs', 1)],
    [10, 10, 10],
  ],
])(
  'settings for %s decide how many of ten requests pass at the start, after 1.5 s and after a minute',
  (_of, settings, passed) => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const allowsRequest = methodThrottle(settings, 'GET', '/v1/pets');
    const passedAt = [0, 1_500, 60_000].map((time) => {
      now.mockReturnValue(time);
      return Array.from({ length: 10 }, allowsRequest).filter(Boolean).length;
    });
    now.mockRestore();
    expect(passedAt).toEqual(passed);
  },
);
