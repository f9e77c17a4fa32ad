import { afterEach, expect, jest, test } from '@jest/globals';
import { sendRaw } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { repeatedAfter } from './repeated.ts';

afterEach(() => void jest.restoreAllMocks());

interface Reply {
  status: number;
  errorType?: string;
  code?: string;
}

const unknownPath: Reply = { status: 403, errorType: 'MissingAuthenticationTokenException' };
const fallback: Reply = { status: 404, code: 'path_not_found' };
const ofFunction: Reply = { status: 404, code: 'pet_not_found' };
const right: Reply = { status: 200 };

/**
 * Checks that a service which gives these replies, one after the other, answers 200. Returns how
 * often it was asked, its error and what was printed.
 */
const run = async (replies: Reply[], pause = 1) => {
  let asked = 0;
  const url = await serve((_request, response) => {
    const { status, errorType, code } = replies[asked] ?? right;
    asked += 1;
    if (errorType !== undefined) {
      response.setHeader('x-amzn-ErrorType', errorType);
    }
    const headers = { 'Content-Type': 'application/json' };
    response.writeHead(status, headers).end(JSON.stringify({ code }));
  });
  const printed: string[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  const check = repeatedAfter(pause, async (path: string) => {
    const { status } = await sendRaw(url, { path });
    if (status !== 200) {
      throw new Error(`got ${status}`);
    }
  });
  const error = await Promise.resolve(check('/')).catch((reason: Error) => reason.message);
  return { asked, error, printed: printed.join('') };
};

const name = (result: string) => `${expect.getState().currentTestName} ${result}\n`;

test.each([
  { answer: 'an unknown path', first: unknownPath, status: 403 },
  { answer: 'a fallback route', first: fallback, status: 404 },
])('a check that failed because of $answer is repeated', async ({ first, status }) => {
  const failed = name(`failed, and is repeated in 0.001 s: got ${status}`);
  const printed = failed + name('passed when it was repeated.');
  expect(await run([first, right])).toEqual({ asked: 2, error: undefined, printed });
});

test('a check that fails again is repeated no more, and both results are printed', async () => {
  const printed = name('failed, and is repeated in 0.001 s: got 403');
  expect(await run([unknownPath, fallback])).toEqual({ asked: 2, error: 'got 404', printed });
});

test('a check that failed because of a function is not repeated', async () => {
  expect(await run([ofFunction])).toEqual({ asked: 1, error: 'got 404', printed: '' });
});

test('a check that passes is not repeated, whoever has answered', async () => {
  const passing: Reply = { status: 200, errorType: 'SomeException' };
  expect(await run([passing])).toEqual({ asked: 1, error: undefined, printed: '' });
});
