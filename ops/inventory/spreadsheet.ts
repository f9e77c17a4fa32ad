/**
 * Numbers as spreadsheets of any language show or keep them, in digits, punctuation and symbols:
 * 9.0072E+15, ####, ="7", 1 234,0, (7), $7.00, 01/07/2024, ７.
 */
const spoiled = /^(?=.*[\p{Nd}#])[\p{Nd}e\p{P}\p{S}\s]+$/isu;

/** Returns a sentence on what to do about a number that a spreadsheet has spoiled, if one has. */
export const hintFor = (value: unknown): string => {
  const text = String(value);
  const isPlain = /^-?\d+$/.test(text);
  return isPlain || !spoiled.test(text)
    ? ''
    : ' A spreadsheet may have changed it: format the column as text, and enter the number again, ' +
        'in the digits 0 to 9, with - in front if it is negative.';
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
