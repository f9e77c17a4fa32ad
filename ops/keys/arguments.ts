import { InvalidArgumentError } from 'commander';
import { epochSeconds } from './issued-keys.ts';

/** Names are shown in tables on terminals. */
export const parseName = (text: string): string => {
  const name = text.trim();
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u.test(name)) {
    throw new InvalidArgumentError('It must have 1 to 64 letters, digits, symbols or spaces, on one line.');
  }
  return name;
};

const secondsOf: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Reads `90d`, `24h` or `30m` as seconds. */
export const parseDuration = (text: string): number => {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined) {
    throw new InvalidArgumentError('Write a duration as 30m, 24h or 90d.');
  }
  return Number(count) * (secondsOf[unit] ?? 0);
};

/** Whether the calendar has a day. Date.parse takes the 30th of February for the 2nd of March. */
const isDay = (day: string): boolean => {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
};

/** Reads a duration from now, or a date (its first second, UTC) or time in ISO 8601, as epoch seconds. */
export const parseExpiry = (text: string): number => {
  if (/^\d+\w$/.test(text)) {
    return epochSeconds() + parseDuration(text);
  }
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const milliseconds = isDay(day) ? Date.parse(text) : NaN;
  if (Number.isNaN(milliseconds)) {
    throw new InvalidArgumentError('Write a duration as 24h or 90d, a date as 2027-01-31, or 2027-01-31T12:00:00Z.');
  }
  if (milliseconds <= Date.now()) {
    throw new InvalidArgumentError('It must be in the future.');
  }
  return Math.floor(milliseconds / 1000);
};

/** The same, or `never`, which is Infinity. */
export const parseNewExpiry = (text: string): number => (text === 'never' ? Infinity : parseExpiry(text));
