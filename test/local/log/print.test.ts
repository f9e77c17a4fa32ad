import { afterEach, expect, jest, test } from '@jest/globals';
import { printFailure, printLine } from '../../../local/log/print.ts';

const log = jest.spyOn(console, 'log').mockReturnValue();
const error = jest.spyOn(console, 'error').mockReturnValue();
afterEach(() => void jest.clearAllMocks());

/** Every control character, from C0 and C1, but the two that a text may have. */
const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\p{Cc}/u.test(character) && !/[\t\n]/.test(character),
);

test('each control character is escaped as in JSON', () => {
  printLine(controls.join(''));
  const [[printed]] = log.mock.calls as [[string]];
  expect(printed).toMatch(/^(\\u00[0-9a-f]{2})*$/);
  expect(JSON.parse(`"${printed}"`)).toBe(controls.join(''));
});

test('all other text is printed as it is', () => {
  const text = 'tab\t, line feed\n, ünï, \u2028, 😀';
  printLine(text);
  expect(log.mock.calls).toEqual([[text]]);
});

test('a failure is printed with its stack and its cause, and without control characters', () => {
  const cause = new Error('because of \x1b[2J');
  printFailure(new Error('it failed', { cause }));
  const [[printed]] = error.mock.calls as [[string]];
  expect(printed).toMatch(/^Error: it failed\n +at .*\[cause\]: Error: because of /s);
  expect(printed).not.toContain('\x1b');
});

test('a failure that is a line is printed as one', () => {
  printFailure('The response was cut:\x9b');
  expect(error.mock.calls).toEqual([['The response was cut:\\u009b']]);
});
