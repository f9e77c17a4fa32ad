import { oneLine } from '../cli/terminal.ts';

interface QuoteProps {
  /** The key with which a service was asked, and which its answer or an error may repeat. */
  apiKey: string;
  /** The most characters to quote. */
  characters: number;
}

/** Returns the beginning of what a service or an error says: on one line, and without the key. */
export const quoted = (text: string, { apiKey, characters }: QuoteProps): string =>
  // The key goes first, because a cut through it would leave its beginning.
  oneLine(text.replaceAll(apiKey, '<API_KEY>').slice(0, characters));
