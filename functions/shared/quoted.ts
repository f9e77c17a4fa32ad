/** Returns at most 24 characters of a client's text for a message to that client. */
export const unquoted = (text: string): string => escaped(truncated(text));

/** Returns at most 24 characters of a client's text, in quotes, for a message to that client. */
export const quoted = (text: string): string => escaped(JSON.stringify(truncated(text)));

const truncated = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

/** Escapes, as JSON does, all but ASCII: in messages, a zero-width space would not be seen. */
const escaped = (text: string): string =>
  text.replace(/[^ -~…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
