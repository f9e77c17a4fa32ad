import { extname } from 'node:path';

export const formats = ['csv', 'json', 'ndjson'] as const;
export type Format = (typeof formats)[number];

const byEnding: Record<string, Format> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'ndjson',
  '.ndjson': 'ndjson',
};

/** Returns the format that the ending of a file's name stands for, if that is known. */
export const formatOfFile = (path: string): Format | undefined =>
  byEnding[extname(path).toLowerCase()];
