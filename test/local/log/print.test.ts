import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { printFailure, printLine } from '../../../local/log/print.ts';

let log: jest.Spied<typeof console.log>;
let error: jest.Spied<typeof console.error>;
beforeEach(() => {
  log = jest.spyOn(console, 'log').mockReturnValue();
  error = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

test('what is printed has each control character escaped as in JSON, and all other text as it is', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /\p{Cc}/u.test(character) && !/[\t\n]/.test(character),
  );
  const others = 'tab\t, line feed\n, ünï, \u2028, 😀';
  printLine(controls.join('') + others);
  const escaped = controls.map(
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  expect(escaped).toHaveLength(63);
  expect(log.mock.calls).toStrictEqual([[escaped.join('') + others]]);
});

test('a failure is a line, or an error with its stack and its cause, without control characters', () => {
  printFailure('The response was cut:\x9b');
  const cause = new Error('because of \x1b[2J');
  printFailure(new Error('it failed', { cause }));
  expect(error.mock.calls).toStrictEqual([
    ['The response was cut:\\u009b'],
    [
      expect.stringMatching(
        /^Error: it failed\n +at .*\[cause\]: Error: because of \\u001b\[2J\n +at /s,
      ),
    ],
  ]);
});
