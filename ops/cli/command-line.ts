/**
 * What operators type before a command. `--no` keeps npx from fetching a stranger's package of that
 * name, wherever this is typed. Without `--`, npx would read options of the command as its own.
 */
export const npxPetstore = 'npx --no -- petstore';

/** Quotes an argument, if necessary, for a shell command that operators can paste. */
export const shellQuoted = (text: string): string =>
  /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
