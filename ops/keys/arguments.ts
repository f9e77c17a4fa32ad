import { InvalidArgumentError } from 'commander';
import { visible } from '../../functions/shared/visible.ts';

const segmenter = new Intl.Segmenter();

/**
 * Reads a key's name: 1 to 64 characters as a reader counts them, where a joined emoji is one, and
 * all of which can be seen. Every other kind of space, such as the wide one of Japanese, becomes a
 * usual one.
 */
export const parseName = (typed: string): string => {
  const text = typed.replaceAll(/\p{Zs}/gu, ' ');
  const length = [...segmenter.segment(text)].length;
  const isBlank = text.trim() === '';
  // Such a name is an option that was meant to follow.
  const isOption = text.startsWith('--');
  if (isBlank || isOption || length > 64 || visible(text) !== text) {
    throw new InvalidArgumentError(
      'It must have 1 to 64 letters, digits, symbols or spaces, and not begin with --.',
    );
  }
  if (/petstore_[a-z]+_[0-9a-f]/i.test(text)) {
    throw new InvalidArgumentError(
      "An API key isn't a name: names are stored and shown to others.",
    );
  }
  return text;
};

const secondsOf: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Reads a duration such as `90d`, `24h` or `30m`, and returns seconds. */
export const parseDuration = (text: string): number => {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (secondsOf[unit] ?? NaN);
  if (Number.isNaN(seconds)) {
    throw new InvalidArgumentError('Write a duration such as 30m, 24h or 90d.');
  }
  return seconds;
};

/** Reads when a key expires, a duration from now, or `never`. Returns seconds, or Infinity. */
export const parseExpiry = (text: string): number =>
  text === 'never' ? Infinity : parseDuration(text);
