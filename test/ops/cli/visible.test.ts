import { describe, expect, test } from '@jest/globals';
import { visible } from '../../../ops/cli/visible.ts';

describe('a message', () => {
  test.each([
    ['a zero-width space', 'available\u200b', 'available\\u200b'],
    ['a soft hyphen', 'a\u00advailable', 'a\\u00advailable'],
    ['a word joiner', '\u2060sold', '\\u2060sold'],
    ['a byte order mark', '\ufeffpetId', '\\ufeffpetId'],
    ['a no-break space', '7\u00a0000', '7\\u00a0000'],
    ['a narrow no-break space', '7\u202f000', '7\\u202f000'],
    ['an ideographic space', 'a\u3000b', 'a\\u3000b'],
    ['a Hangul filler', '\u3164', '\\u3164'],
    ['a code point without a meaning yet that is never drawn', 'a\u2065', 'a\\u2065'],
    ['a variation selector', 'a\ufe0f', 'a\\ufe0f'],
    ['line breaks and tabs', 'a\r\n\tb\u2028', 'a\\u000d\\u000a\\u0009b\\u2028'],
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['a right-to-left override', '\u202egnp.exe', '\\u202egnp.exe'],
    ['a lone surrogate', 'a\ud800', 'a\\ud800'],
    ['a tag of two code units', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['a joiner', 'a\u200db', 'a\\u200db'],
  ])('shows %s', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test.each(['petId 7, "sold"', 'ショップ東京', 'Ärger naïve', '🐾', '\\u200b'])(
    'keeps %j',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );
});
