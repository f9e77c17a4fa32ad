import { InvalidArgumentError } from 'commander';

/** Reads a key's name, of 1 to 64 characters that can be seen, and which is no key. */
export const parseName = (text: string): string => {
  // One that begins with -- is an option that was meant to follow.
  if (!/^(?!--| +$|.*petstore_)[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/iu.test(text)) {
    throw new InvalidArgumentError('It must have 1 to 64 letters, digits, symbols or spaces.');
  }
  return text;
};

const secondsOf: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };

/** Reads when a key expires: a duration from now such as `90d`, `24h` or `30m`, or `never`. */
export const parseExpiry = (text: string): number => {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const seconds = text === 'never' ? Infinity : Number(count) * (secondsOf[unit] ?? NaN);
  if (Number.isNaN(seconds)) {
    throw new InvalidArgumentError('Write a duration such as 30m, 24h or 90d, or never.');
  }
  return seconds;
};
