/** How the summary names figures whose names are no words. */
const labels: Record<string, string> = {
  toCreate: 'to create',
  toReplace: 'to replace',
  changed: 'changed by someone else and left as they are',
  left: 'not yet written',
};

/** Returns the summary of an import, whose other figures add up to `read`. */
export const summaryOf = (figures: { read: number; [figure: string]: number }): string => {
  const { read, ...others } = figures;
  const parts = Object.entries(others)
    .filter(([, entries]) => entries > 0)
    .map(([figure, entries]) => `${entries.toLocaleString('en')} ${labels[figure] ?? figure}`);
  const total = `${read.toLocaleString('en')} read`;
  return parts.length > 0 ? `${total}: ${parts.join(', ')}.` : `${total}.`;
};
