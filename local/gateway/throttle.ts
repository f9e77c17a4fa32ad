/** `MethodSettings` of an AWS::ApiGateway::Stage. */
export interface MethodSetting {
  /** `*` for all. */
  HttpMethod: string;
  /** The resource's path with `~1` for each slash but the first, or `/*` for all. */
  ResourcePath: string;
  ThrottlingRateLimit?: number;
  ThrottlingBurstLimit?: number;
}

/**
 * What tells whether one more request of a method is let through. API Gateway counts each method of a stage by itself,
 * also where one setting is for all of them.
 */
export const methodThrottle = (
  settings: MethodSetting[],
  httpMethod: string,
  resourcePath: string,
): (() => boolean) => {
  const of = (method: string, path: string) =>
    settings.find(({ HttpMethod, ResourcePath }) => HttpMethod === method && ResourcePath === path);
  const { ThrottlingRateLimit: rate = Infinity, ThrottlingBurstLimit: burst = Infinity } = {
    ...of('*', '/*'),
    ...of(httpMethod, `/${resourcePath.replaceAll('/', '~1')}`),
  };
  return tokenBucket(rate, burst);
};

/** `rate` tokens a second, at most `burst` saved up. */
const tokenBucket = (rate: number, burst: number): (() => boolean) => {
  let tokens = burst;
  let filledAt = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    filledAt = now;
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  };
};
