import { parseJson } from '../../functions/shared/json.ts';

/** A number as JSON writes it. */
const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A number as it was written, so that none of its digits is lost. From CSV it may be any text. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What the API would read; nothing of a text that is no number. */
  toNumber(): unknown {
    return numeral.test(this.text) ? parseJson(this.text) : undefined;
  }
}

/** Parses JSON, with a Numeral for each number. */
export const parseWithNumerals = (text: string): unknown =>
  JSON.parse(text, (_key, value, { source = '' }) => (typeof value === 'number' ? new Numeral(source) : value));
