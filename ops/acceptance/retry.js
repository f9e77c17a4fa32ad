import { jest } from '@jest/globals';

// A change of an API reaches all of API Gateway within some seconds; that of a local run, at once.
const waitBeforeRetry = process.env.PETSTORE_BASE_URL?.startsWith('https:') ? 30_000 : 0;

jest.retryTimes(1, { waitBeforeRetry, logErrorsBeforeRetry: true });
