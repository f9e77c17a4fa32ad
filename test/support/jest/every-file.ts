import { afterAll, jest } from '@jest/globals';

declare const suiteTimeout: number;

jest.setTimeout(suiteTimeout);

// Node's modules are the same for all test files of a worker, so what spies on one must end with its
// file.
afterAll(() => void jest.restoreAllMocks());
