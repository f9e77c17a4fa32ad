import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/**
 * All that functions log in a test, line by line, in an instance whose first line, which counts its start, is past.
 * To be called outside of tests.
 */
// biome-ignore lint/suspicious/noExplicitAny: whatever a line holds
export const captureLog = (): any[] => {
  const lines: unknown[] = [];
  beforeEach(async () => {
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
    const { logLine } = await import('../../functions/observability/log-line.ts');
    logLine('INFO', {});
    lines.length = 0;
  });
  afterEach(() => void jest.restoreAllMocks());
  return lines;
};

/** The line of a request with an event of eventOf, and with the metrics of what it counts. */
export const requestLine = (operation: string, fields: object, counts?: object): object => ({
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  level: 'INFO',
  requestId: 'request-1',
  extendedRequestId: 'extended-1',
  operation,
  keyId: 'key-1',
  durationMs: expect.any(Number),
  ...fields,
  ...(counts && { Stage: 'staging', FunctionName: 'function', FunctionVersion: '7', _aws: expect.any(Object) }),
  ...counts,
});
