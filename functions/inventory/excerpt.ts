/** At most 24 characters of what a client sent, quoted, for a message to that client. */
export const excerpt = (text: string): string => JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text);
