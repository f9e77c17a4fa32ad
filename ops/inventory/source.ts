/**
 * Called with each entry of a file: the line, or the element of an array, that it is in, counted from 1, and its
 * properties, numbers as Numeral; or anything else that stands in its place.
 */
export type OnEntry = (place: number, value: unknown) => void;

/** Reads entries of one format. */
export type Reader = (chunks: AsyncIterable<Buffer>, onEntry: OnEntry) => Promise<void>;

/** More bytes than any entry has: a longer one is a file of another kind, not to be held in memory. */
export const longestEntry = 100_000;
