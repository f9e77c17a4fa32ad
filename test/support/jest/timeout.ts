import { jest } from '@jest/globals';

declare const suiteTimeout: number;

jest.setTimeout(suiteTimeout);
