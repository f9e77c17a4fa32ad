/** The characters of an int64 with separators and marks, and some more. */
const longest = 64;

/** What is around a number that a spreadsheet shall keep as text, as in ="1" and '1. */
const marks = /^=?["'`´‘’“”\s]*|["'`´‘’“”\s]+$/g;

/** A number of more digits than a spreadsheet shows; German has a decimal comma, and # fills cells. */
const rounded = /^[+−\p{Pd}]?[\p{Nd}.,٫]+ ?e ?[+−\p{Pd}]?\p{Nd}+$|^#+$/iu;

/** Numbers with all their digits, as spreadsheets of any language show them. */
const decorated = [
  // 7.0 and ７
  /^[+−\p{Pd}]?\p{Nd}+(?:[.,٫]0*)?$/u,
  // 1,234,567 and 1.234.567 and 1 234 567 and 12,34,567
  /^[+−\p{Pd}]?\p{Nd}{1,3}(?:[.,'’_٬\s]\p{Nd}{2,3})*[.,'’_٬\s]\p{Nd}{3}(?:[.,٫]0*)?$/u,
];

/** Returns what to do about a number that a spreadsheet has spoiled; undefined if none did. */
export const hintFor = (text: string): string | undefined => {
  // The search for marks at the end of a long text would take quadratic time.
  if (text.length > longest) {
    return undefined;
  }
  const number = text.replace(marks, '');
  if (rounded.test(number)) {
    return 'A spreadsheet has rounded it: format its column as text, and enter the numbers again.';
  }
  const isPlain = /^-?\d+$/.test(text);
  return !isPlain && decorated.some((pattern) => pattern.test(number))
    ? 'Write it in digits from 0 to 9, after - if it is negative: no quotes, separators or decimals.'
    : undefined;
};

/**
 * Returns how many petIds a program has probably rounded: those with more digits than it keeps, if
 * all of them go on with zeros. Spreadsheets keep 15 digits, and JavaScript and jq 17.
 */
export const roundedPetIds = (petIds: bigint[]): number => {
  const digits = petIds.map((petId) => String(petId).replace('-', ''));
  return roundedTo(15, digits) || roundedTo(17, digits);
};

const roundedTo = (kept: number, digits: string[]): number => {
  const long = digits.filter((each) => each.length > kept);
  return long.every((each) => /^0+$/.test(each.slice(kept))) ? long.length : 0;
};
