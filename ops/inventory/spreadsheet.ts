/** A number of more digits than a spreadsheet shows; German has a decimal comma, and # fills cells. */
const rounded = /^[-+−–]?\d([.,]\d*)? ?e ?[-+−–]?\d+$|^#+$/i;

/** Numbers with all their digits, and with what spreadsheets and their users put around them. */
const decorated = [
  // ="9007199254740993" and '9007199254740993, which keep a spreadsheet from rounding
  /^=?\s*["'`´‘’“”]*[-+−–]?\d+["'`´‘’“”]*$/,
  // 1,234,567 and 1.234.567 and 1 234 567 and 12,34,567
  /^[-+−–]?\d{1,3}(?:[.,'’_\s]\d{2,3})*[.,'’_\s]\d{3}(?:[.,]0*)?$/,
  // 7.0
  /^[-+−–]?\d+[.,]0*$/,
];

/** Returns what to do about a number that a spreadsheet has spoiled; undefined if none did. */
export const hintFor = (text: string): string | undefined => {
  if (rounded.test(text)) {
    return 'A spreadsheet has rounded it: format its column as text, and enter the numbers again.';
  }
  return decorated.some((pattern) => pattern.test(text)) && !/^(0|-?[1-9]\d*|-?0+\d*)$/.test(text)
    ? 'Write its digits alone, without quotes, separators or decimals.'
    : undefined;
};

/** The digits that a spreadsheet keeps of a number. It turns all further ones to zeros. */
const keptDigits = 15;

/**
 * Returns how many petIds a spreadsheet has probably rounded: those with more digits than it keeps,
 * if all of them go on with zeros.
 */
export const roundedPetIds = (petIds: bigint[]): number => {
  const long = petIds
    .map((petId) => String(petId).replace('-', ''))
    .filter((digits) => digits.length > keptDigits);
  return long.every((digits) => /^0+$/.test(digits.slice(keptDigits))) ? long.length : 0;
};
