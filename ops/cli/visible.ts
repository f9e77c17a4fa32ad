/**
 * Matches what `visible` escapes, and emoji: these come first, because the invisible characters
 * within one join it, and stay.
 */
const unseenOrEmoji =
  /(?<emoji>\p{RGI_Emoji})|[[[\p{C}\p{Z}]--[\p{Cn}\p{Co}\x20]]\p{Default_Ignorable_Code_Point}]/gv;

/**
 * Escapes, as JSON does, what a reader of a message could not see or what could control a terminal:
 * control characters, line breaks, zero-width and bidirectional marks, byte order marks, lone
 * surrogates, and all spaces but the usual one.
 */
export const visible = (text: string): string =>
  text.replace(unseenOrEmoji, (match, emoji) => (emoji === undefined ? escaped(match) : match));

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_unit, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
