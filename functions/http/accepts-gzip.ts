/**
 * Whether an Accept-Encoding header allows gzip and does not prefer the plain body (RFC 9110,
 * 12.5.3).
 */
export const acceptsGzip = (acceptEncoding: string): boolean => {
  const qualities = new Map(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
        const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1;
        return [coding, Number(quality)];
      }),
  );
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  return qualityOf('gzip') > 0 && qualityOf('gzip') >= qualityOf('identity');
};
