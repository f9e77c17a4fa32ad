declare global {
  interface JSON {
    /** Node 22 and later; not yet in TypeScript's library. */
    rawJSON(text: string): unknown;
  }
}

/** JSON with bigint written as an exact integer. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member));
