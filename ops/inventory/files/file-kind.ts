const workbook = 'The file is an Excel workbook: save it as CSV.';

/** A kind of file that is no text. */
interface FileKind {
  begins: string;
  /** What else such a file holds, near its beginning. */
  has?: RegExp;
  message: string;
}

/** The first kind that a file is of says most about it. */
const kinds: FileKind[] = [
  { begins: '\x1f\x8b', message: 'The file is compressed with gzip: unpack it first.' },
  // Excel's format until 2003, and that of workbooks with a password.
  { begins: '\xd0\xcf\x11\xe0', message: workbook },
  { begins: 'PK\x03\x04', has: /\[Content_Types\]\.xml|docProps\/|xl\//, message: workbook },
  {
    begins: 'PK\x03\x04',
    has: /opendocument\.spreadsheet/,
    message: 'The file is a spreadsheet: save it as CSV.',
  },
  { begins: 'PK\x03\x04', message: 'The file is a zip archive: unpack it first.' },
];

/** Says what a file is, by the bytes that it begins with, if it is of a known kind and no text. */
export const namedKind = (start: Buffer): string | undefined => {
  const text = start.toString('latin1');
  const kind = kinds.find(
    ({ begins, has }) => text.startsWith(begins) && (has === undefined || has.test(text)),
  );
  return kind?.message;
};
