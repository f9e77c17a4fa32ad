import { expect, test } from '@jest/globals';
import { visible } from '../../../ops/cli/visible.ts';

test.each([
  ['a zero-width space', 'available\u200b', 'available\\u200b'],
  ['a no-break space', '7\u00a0000', '7\\u00a0000'],
  ['a Hangul filler', '\u3164', '\\u3164'],
  ['a code point without a meaning yet that is never drawn', 'a\u2065', 'a\\u2065'],
  ['a variation selector', 'a\ufe0f', 'a\\ufe0f'],
  ['line breaks and tabs', 'a\r\n\tb\u2028', 'a\\u000d\\u000a\\u0009b\\u2028'],
  ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
  ['a lone surrogate', 'a\ud800', 'a\\ud800'],
  ['a tag of two code units', 'a\u{e0041}', 'a\\udb40\\udc41'],
])('a message shows %s', (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each(['petId 7, "sold"', 'ショップ東京', 'Ärger naïve', '🐾', '\\u200b'])(
  'a message keeps %j',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);
