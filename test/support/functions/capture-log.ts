import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/**
 * Returns the parsed lines that the functions log during a test; each test starts without any. The
 * first line of an instance, which also counts its cold start, is written beforehand and left out.
 * Call this outside of tests.
 */
// biome-ignore lint/suspicious/noExplicitAny: a log line may hold anything
export const captureLog = (): any[] => {
  const lines: unknown[] = [];
  beforeEach(async () => {
    jest
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
    const { logLine } = await import('../../../functions/observability/log-line.ts');
    logLine('INFO', {});
    lines.length = 0;
  });
  afterEach(() => void jest.restoreAllMocks());
  return lines;
};

/**
 * Returns the expected log line of a request with an event of `eventOf`, with the metrics of its
 * counts, if any.
 */
export const requestLine = (operation: string, fields: object, counts?: object): object => ({
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  level: 'INFO',
  requestId: 'request-1',
  extendedRequestId: 'extended-1',
  operation,
  keyId: 'key-1',
  durationMs: expect.any(Number),
  ...fields,
  ...(counts && {
    Stage: 'staging',
    FunctionName: 'function',
    FunctionVersion: '7',
    _aws: expect.any(Object),
  }),
  ...counts,
});
