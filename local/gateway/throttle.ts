/** A token bucket, as API Gateway keeps one for a stage: `rate` tokens a second, at most `burst` saved up. */
export const tokenBucket = (rate: number, burst: number): (() => boolean) => {
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
