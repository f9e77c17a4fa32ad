import { jest } from '@jest/globals';

/** All that functions have logged since, line by line. */
// biome-ignore lint/suspicious/noExplicitAny: whatever a line holds
export const captureLog = (): any[] => {
  const lines: unknown[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  return lines;
};
