import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/**
 * Returns the parsed lines that the functions log during a test; each test starts without any. Call
 * this outside of tests.
 */
// biome-ignore lint/suspicious/noExplicitAny: a log line may hold anything
export const captureLog = (): any[] => {
  const lines: unknown[] = [];
  beforeEach(() => {
    jest
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
    lines.length = 0;
  });
  afterEach(() => void jest.restoreAllMocks());
  return lines;
};

const directive = (dimensions: string[], names: string[]) => ({
  Namespace: 'PetstoreInventory',
  Dimensions: [dimensions],
  Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
});

/**
 * Returns what a line of the function in `setEnvironment` has if it counts these for its stage, and
 * perhaps a fault of its version.
 */
export const metrics = (ofStage: object, ofVersion: { Faults?: 1 } = {}) => {
  const directives = [
    directive(['Stage'], Object.keys(ofStage)),
    directive(['FunctionName', 'FunctionVersion'], Object.keys(ofVersion)),
  ].filter(({ Metrics }) => Metrics.length > 0);
  return directives.length === 0
    ? {}
    : {
        _aws: { Timestamp: expect.any(Number), CloudWatchMetrics: directives },
        Stage: 'staging',
        FunctionName: 'function',
        FunctionVersion: '7',
        ...ofStage,
        ...ofVersion,
      };
};

/** What every line has, unless a test says otherwise. A new field of all lines belongs here. */
export const everyLine = {
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  level: 'INFO',
};

/** What every line of a request with an event of `eventOf` has. */
export const everyRequest = {
  ...everyLine,
  requestId: 'request-1',
  extendedRequestId: 'extended-1',
  durationMs: expect.any(Number),
};

/** Returns the expected log line of a request with an event of `eventOf`. */
export const requestLine = (operation: string, fields: object, counts?: object): object => ({
  ...everyRequest,
  operation,
  keyId: 'key-1',
  ...fields,
  ...(counts && metrics(counts)),
});

/** Returns the fields of a log line for an error and its causes. */
export const errorFields = (errorType: string, errorMessage: unknown, cause?: object): object => ({
  errorType,
  errorMessage,
  stack: expect.stringContaining('\n    at '),
  ...(cause && { cause }),
});

/** Returns the expected log line of a request that failed, which its version's alarm hears of. */
export const faultLine = (operation: string, fields: object, counts: object = {}): object => ({
  ...requestLine(operation, { level: 'ERROR', ...fields }),
  ...metrics(counts, { Faults: 1 }),
});
