import { invalidValue } from '../cli/arguments.ts';
import { epochSeconds } from './issued-keys.ts';

/** Reads a key's name, which must be safe to show in a table on a terminal. */
export const parseName = (text: string): string =>
  /^(?!--)[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u.test(text.trim())
    ? text.trim()
    : invalidValue(
        'It must have 1 to 64 letters, digits, symbols or spaces, on one line, ' +
          'and not begin with --.',
      );

const secondsOf: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Reads a duration such as `90d`, `24h` or `30m`, and returns seconds. */
export const parseDuration = (text: string): number => {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  return count
    ? Number(count) * (secondsOf[unit] ?? 0)
    : invalidValue('Write a duration such as 30m, 24h or 90d.');
};

/**
 * Reads a duration from now, or an ISO 8601 date (its first second, UTC) or time, and returns epoch
 * seconds.
 */
export const parseExpiry = (text: string): number => {
  if (/^\d+\w$/.test(text)) {
    return epochSeconds() + parseDuration(text);
  }
  const [, date = ''] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // Date would read the 30th of February as the 2nd of March.
  const isDay = new Date(date).getUTCDate() === Number(date.slice(-2));
  const seconds = isDay ? Math.floor(Date.parse(text) / 1000) : NaN;
  if (Number.isNaN(seconds)) {
    invalidValue(
      'Write a duration such as 90d, a date such as 2027-01-31, ' +
        'or a time such as 2027-01-31T12:00:00Z.',
    );
  }
  return seconds > epochSeconds() ? seconds : invalidValue('It must be in the future.');
};

/** Reads an expiry as `parseExpiry` does, or `never`, for which it returns Infinity. */
export const parseNewExpiry = (text: string): number =>
  text === 'never' ? Infinity : parseExpiry(text);
