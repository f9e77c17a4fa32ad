import { afterEach, expect, jest, test } from '@jest/globals';
import { printFailure, printLine } from '../../../local/log/print.ts';

afterEach(() => void jest.restoreAllMocks());

test('what is printed has each control character escaped as in JSON, and all other text as it is', () => {
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const others = 'space , tab\t, line feed\n, ~, \u00a0, ünï, \u2028, 😀';
  printLine(`\0\b\v\r\x1b[2J\x1f\x7f\x80\x9b\x9f${others}`);
  const escaped = String.raw`\u0000\u0008\u000b\u000d\u001b[2J\u001f\u007f\u0080\u009b\u009f`;
  expect(log.mock.calls).toStrictEqual([[escaped + others]]);
});

test('a failure is a line, or an error with its stack and its cause, without control characters', () => {
  const error = jest.spyOn(console, 'error').mockReturnValue();
  printFailure('The response was cut:\x9b');
  const cause = new Error('because of \x1b[2J');
  printFailure(new Error('it failed', { cause }));
  const shown = /^Error: it failed\n +at .*\[cause\]: Error: because of \\u001b\[2J\n +at /s;
  expect(error.mock.calls).toStrictEqual([
    ['The response was cut:\\u009b'],
    [expect.stringMatching(shown)],
  ]);
});
