import { afterEach, expect, jest, test } from '@jest/globals';
import { repeated } from '../../acceptance/repeated.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';

afterEach(() => void jest.restoreAllMocks());

interface Reply {
  status: number;
  errorType?: string;
  code?: string;
}

const unknownPath: Reply = { status: 403, errorType: 'MissingAuthenticationTokenException' };
const fallback: Reply = { status: 404, code: 'path_not_found' };
const unavailable: Reply = { status: 503, code: 'service_unavailable' };
const right: Reply = { status: 200 };

/** Serves these replies, one after the other. Returns the URL. */
const replying = (replies: Reply[]): Promise<string> => {
  const left = [...replies];
  return serve((_request, response) => {
    const { status, errorType, code } = left.shift() as Reply;
    response
      .writeHead(status, {
        'Content-Type': 'application/json',
        ...(errorType && { 'x-amzn-ErrorType': errorType }),
      })
      .end(JSON.stringify({ code }));
  });
};

interface Row {
  what: string;
  replies: Reply[];
  /** The end of each line that is printed. */
  printed: string[];
  failure?: string;
}

const rows: Row[] = [
  {
    what: 'an unknown path, and then rightly',
    replies: [unknownPath, right],
    printed: ['failed, and is repeated: got 403', 'passed when it was repeated.'],
  },
  {
    what: 'a fallback route, and then rightly',
    replies: [fallback, right],
    printed: ['failed, and is repeated: got 404', 'passed when it was repeated.'],
  },
  {
    what: 'an unavailable service, and then rightly',
    replies: [unavailable, right],
    printed: ['failed, and is repeated: got 503', 'passed when it was repeated.'],
  },
  {
    what: 'an unknown path, and then a fallback route',
    replies: [unknownPath, fallback],
    printed: ['failed, and is repeated: got 403'],
    failure: 'got 404',
  },
  {
    what: 'a function, whatever its error',
    replies: [{ status: 500, code: 'outcome_unknown' }],
    printed: [],
    failure: 'got 500',
  },
  {
    what: 'API Gateway itself, and rightly',
    replies: [{ ...right, errorType: 'X' }],
    printed: [],
  },
];

test.each(rows)(
  'a check that is answered by $what, is repeated only if that may help',
  async (row) => {
    const url = await replying(row.replies);
    const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    let requests = 0;
    const check = repeated(async () => {
      requests += 1;
      const { status } = await sendRaw(url, { path: '/' });
      if (status !== 200) {
        throw new Error(`got ${status}`);
      }
    });
    const failure = await check().then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    const name = expect.getState().currentTestName;
    expect({
      requests,
      failure,
      printed: print.mock.calls.map(([text]) => text),
    }).toStrictEqual({
      requests: row.replies.length,
      failure: row.failure,
      printed: row.printed.map((result) => `${name} ${result}\n`),
    });
  },
);

test('a check is not repeated after a connection that was cut: what was sent may have been applied', async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    response.destroy();
  });
  const check = repeated(async () => void (await sendRaw(url, { path: '/' })));
  await expect(check()).rejects.toThrow('socket hang up');
  expect(requests).toBe(1);
});
