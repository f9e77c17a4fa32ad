/** Matches what a reader could not see, or what could control a terminal. */
const unseen = /[[[\p{C}\p{Z}]--[\p{Cn}\p{Co}\x20]]\p{Default_Ignorable_Code_Point}]/gv;

/**
 * Escapes, as JSON does, what a reader of a message could not see or what could control a terminal:
 * control characters, line breaks, zero-width and bidirectional marks, byte order marks, lone
 * surrogates, and all spaces but the usual one. An emoji of several parts is shown in these parts.
 */
export const visible = (text: string): string => text.replace(unseen, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_unit, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
