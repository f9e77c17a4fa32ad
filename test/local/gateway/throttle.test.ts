import { expect, jest, test } from '@jest/globals';
import { type MethodSetting, methodThrottle } from '../../../local/gateway/throttle.ts';

/** A setting that allows one request per second, after a burst. */
const setting = (
  HttpMethod: string,
  ResourcePath: string,
  ThrottlingBurstLimit: number,
): MethodSetting => ({ HttpMethod, ResourcePath, ThrottlingBurstLimit, ThrottlingRateLimit: 1 });

const ofStage = setting('*', '/*', 2);
const { ThrottlingBurstLimit: _burst, ThrottlingRateLimit: _rate, ...unlimited } = ofStage;

test.each([
  { what: 'no setting', settings: [], passed: [10, 10, 10] },
  { what: 'the setting of the stage', settings: [ofStage], passed: [2, 1, 2] },
  {
    what: 'its own setting before the one of the stage',
    settings: [ofStage, setting('GET', '/~1v1~1pets', 4)],
    passed: [4, 1, 4],
  },
  {
    what: 'nothing of the stage if its own setting has no limits',
    settings: [ofStage, { ...unlimited, HttpMethod: 'GET', ResourcePath: '/~1v1~1pets' }],
    passed: [10, 10, 10],
  },
  {
    what: 'no setting of another method',
    settings: [setting('PUT', '/~1v1~1pets', 1)],
    passed: [10, 10, 10],
  },
  {
    what: 'no setting of another path',
    settings: [setting('GET', '/~1v1~1dogs', 1)],
    passed: [10, 10, 10],
  },
])('a method obeys $what', ({ settings, passed }) => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const allowsRequest = methodThrottle(settings, { httpMethod: 'GET', resourcePath: '/v1/pets' });
  // At the start, after a second and a half, and after a minute.
  const passedAt = [0, 1_500, 60_000].map((time) => {
    now.mockReturnValue(time);
    return Array.from({ length: 10 }, allowsRequest).filter(Boolean).length;
  });
  now.mockRestore();
  expect(passedAt).toEqual(passed);
});
