import { InvalidArgumentError } from 'commander';
import { epochSeconds } from './api-keys.ts';

/** Reads a key's name, which must be safe to show in a table on a terminal. */
export const parseName = (text: string): string => {
  if (!/^(?!--)[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u.test(text)) {
    throw new InvalidArgumentError(
      'It must have 1 to 64 letters, digits, symbols or spaces, and not begin with --.',
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

/** Reads when a key expires, a duration from now, or `never`. Returns epoch seconds, or Infinity. */
export const parseExpiry = (text: string): number =>
  text === 'never' ? Infinity : epochSeconds() + parseDuration(text);
