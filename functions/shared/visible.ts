/**
 * Matches what `visible` escapes, and emoji: these come first, because the invisible characters
 * within one join it, and stay. Made when it is first needed: only reading the expression takes
 * 10 ms, which every cold start would wait.
 */
let unseen: RegExp | undefined;

const unseenOrEmoji = (): RegExp =>
  new RegExp(
    String.raw`(?<emoji>\p{RGI_Emoji})|` +
      String.raw`[[[\p{C}\p{Z}]--[\p{Cn}\p{Co}\x20]]\p{Default_Ignorable_Code_Point}]`,
    'gv',
  );

/**
 * Escapes, as JSON does, what a reader of a message could not see or what could control a terminal:
 * control characters, line breaks, zero-width and bidirectional marks, byte order marks, lone
 * surrogates, and all spaces but the usual one.
 */
export const visible = (text: string): string => {
  unseen ??= unseenOrEmoji();
  return text.replace(unseen, (match, emoji) => (emoji === undefined ? escaped(match) : match));
};

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_unit, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** Returns at most 24 characters of a client's text for a message to that client. */
export const unquoted = (text: string): string => visible(truncated(text));

/** Returns at most 24 characters of a client's text, in quotes, for a message to that client. */
export const quoted = (text: string): string => visible(JSON.stringify(truncated(text)));

const truncated = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
