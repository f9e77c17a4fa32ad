/** `MethodSettings` of an AWS::ApiGateway::Stage. */
export interface MethodSetting {
  /** An HTTP method, or `*` for all. */
  HttpMethod: string;
  /**
   * A slash and the resource's path with `~1` for each slash, such as `/~1v1~1inventory`; or `/*`
   * for all.
   */
  ResourcePath: string;
  ThrottlingRateLimit?: number;
  ThrottlingBurstLimit?: number;
}

/**
 * Returns a function that tells whether another request of a method is let through. API Gateway
 * counts each method of a stage separately, even where one setting covers all methods.
 */
export const methodThrottle = (
  settings: MethodSetting[],
  method: { httpMethod: string; resourcePath: string },
): (() => boolean) => {
  const settingFor = (httpMethod: string, path: string) =>
    settings.find((setting) => setting.HttpMethod === httpMethod && setting.ResourcePath === path);
  const path = `/${method.resourcePath.replaceAll('/', '~1')}`;
  // A method with a setting of its own inherits nothing from the stage's.
  const setting = settingFor(method.httpMethod, path) ?? settingFor('*', '/*');
  return tokenBucket(
    setting?.ThrottlingRateLimit ?? Number.POSITIVE_INFINITY,
    setting?.ThrottlingBurstLimit ?? Number.POSITIVE_INFINITY,
  );
};

/**
 * Returns a function that takes a token if there is one. `rate` tokens are added per second, up to
 * `burst`.
 */
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
