import type { Command } from 'commander';

const isHelpOption = (word: string): boolean => word === '--help' || word === '-h';

/**
 * Returns the arguments with `help` in front of or behind a command turned into its `--help`. Drops
 * `--help` behind a word that is no command: Commander would show the help of the group, and not
 * report the word.
 */
export const withHelpOption = (program: Command, words: string[]): string[] => {
  let command = program;
  for (const [index, word] of words.entries()) {
    if (word === 'help' && command.commands.length > 0) {
      return withHelpOption(program, [...words.toSpliced(index, 1), '--help']);
    }
    const subcommand = command.commands.find((each) => each.name() === word);
    if (!subcommand) {
      const isUnknown = command.commands.length > 0 && !word.startsWith('-');
      return isUnknown ? words.filter((each) => !isHelpOption(each)) : words;
    }
    command = subcommand;
  }
  return words;
};
