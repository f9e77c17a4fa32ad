/** One entry of a file, not yet checked. */
export interface SourceLine {
  /** Where it starts, counted from 1. */
  line: number;
  /** Its properties, numbers as Numeral; or anything else that stands in the place of an entry. */
  value: unknown;
}

/** What is wrong in one line. */
export interface Problem {
  line: number;
  /** Of the entry; empty if it is about all of it. */
  field: string;
  /** Names the field. */
  reason: string;
}

/** Stands for a line of which no value can be read. */
export class Unreadable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** More characters than any entry has: a longer one is a file of another kind, not to be held in memory. */
export const longestEntry = 100_000;
