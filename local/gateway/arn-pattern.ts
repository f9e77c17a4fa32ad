/** Whether a string matches a pattern with IAM's wildcards: `*` for any characters, `?` for one. */
export const matchesArn = (pattern: string, arn: string): boolean => {
  const source = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  return new RegExp(`^${source}$`, 's').test(arn);
};
