declare global {
  // Node has these since version 22; TypeScript's library does not declare them yet.
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/** Returns a value as JSON, with every digit of a bigint. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member,
  );
