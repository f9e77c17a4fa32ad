import { afterEach, expect, jest, test } from '@jest/globals';
import { methodThrottle } from '../../../local/gateway/throttle.ts';

afterEach(() => void jest.restoreAllMocks());

const setting = (HttpMethod: string, ResourcePath: string, ThrottlingBurstLimit: number) => ({
  HttpMethod,
  ResourcePath,
  ThrottlingBurstLimit,
  ThrottlingRateLimit: 1,
});
/** How many of ten requests at once are let through. */
const passed = (allowsRequest: () => boolean) => Array.from({ length: 10 }, allowsRequest).filter(Boolean).length;

test.each([
  ['nothing', [], 10],
  ['all methods', [setting('*', '/*', 2)], 2],
  ['all methods and this one', [setting('*', '/*', 2), setting('GET', '/~1v1~1pets', 4)], 4],
  ['this method alone, before all', [setting('GET', '/~1v1~1pets', 4), setting('*', '/*', 2)], 4],
  ['others', [setting('PUT', '/~1v1~1pets', 1), setting('GET', '/~1v1~1dogs', 1)], 10],
])('settings of %s', (_which, settings, burst) => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const allowsRequest = methodThrottle(settings, 'GET', '/v1/pets');
  expect(passed(allowsRequest)).toBe(burst);
  if (burst < 10) {
    now.mockReturnValue(1_500);
    expect(passed(allowsRequest)).toBe(1);
    now.mockReturnValue(60_000);
    expect(passed(allowsRequest)).toBe(burst);
  }
});
