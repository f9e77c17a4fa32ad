import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/** All that functions log in a test, line by line. To be called outside of tests. */
// biome-ignore lint/suspicious/noExplicitAny: whatever a line holds
export const captureLog = (): any[] => {
  const lines: unknown[] = [];
  beforeEach(() => {
    lines.length = 0;
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return lines;
};

/** The line of a request with an event of eventOf. */
export const requestLine = (operation: string, fields: object): object => ({
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  level: 'INFO',
  requestId: 'request-1',
  extendedRequestId: 'extended-1',
  operation,
  keyId: 'key-1',
  durationMs: expect.any(Number),
  ...fields,
});
