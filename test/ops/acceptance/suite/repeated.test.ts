import { afterEach, expect, jest, test } from '@jest/globals';
import { sendRaw } from '../../../../ops/acceptance/suite/raw-request.ts';
import { repeated } from '../../../../ops/acceptance/suite/repeated.ts';
import { serve } from '../../../support/http/serve.ts';

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

const replay = async (replies: Reply[]) => {
  const left = [...replies];
  return serve((_request, response) => {
    const { status, errorType, code } = left.shift() ?? right;
    const headers = {
      'Content-Type': 'application/json',
      ...(errorType && { 'x-amzn-ErrorType': errorType }),
    };
    response.writeHead(status, headers).end(JSON.stringify({ code }));
  });
};

test.each([
  { what: 'an unknown path', replies: [unknownPath, right], asked: 2, error: undefined },
  { what: 'a fallback route', replies: [fallback, right], asked: 2, error: undefined },
  { what: 'an unknown path twice', replies: [unknownPath, fallback], asked: 2, error: 'got 404' },
  { what: 'a function', replies: [ofFunction, right], asked: 1, error: 'got 404' },
  { what: 'what is right', replies: [{ ...right, errorType: 'X' }], asked: 1, error: undefined },
])('a check answered by $what sends $asked requests', async ({ replies, asked, error }) => {
  const url = await replay(replies);
  let requests = 0;
  const check = repeated(async () => {
    requests += 1;
    const { status } = await sendRaw(url, { path: '/' });
    if (status !== 200) {
      throw new Error(`got ${status}`);
    }
  });
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failure = await Promise.resolve(check()).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  expect({ requests, failure }).toEqual({ requests: asked, failure: error });
});

test('both results of a repeated check are printed', async () => {
  const url = await replay([unknownPath]);
  const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await repeated(async () => {
    const { status } = await sendRaw(url, { path: '/' });
    expect(`status ${status}`).toBe('status 200');
  })();
  const name = expect.getState().currentTestName;
  expect(print.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining(`${name} failed, and is repeated: `),
    `${name} passed when it was repeated.\n`,
  ]);
});
