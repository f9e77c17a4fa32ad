import type { Command } from 'commander';

/**
 * Refuses a command that npm runs as its script of the same name, `npm start`, if npm has taken an
 * option of it. Without `--`, npm takes every option for its own settings, and passes unknown ones on
 * as variables of the environment alone: `--data DIR` would be lost, and then the stock.
 * @throws CommanderError
 */
export const refuseOptionsTakenByNpm = (command: Command, env: NodeJS.ProcessEnv): void => {
  if (env.npm_lifecycle_event !== command.name()) {
    return;
  }
  const given = command.parent?.args ?? [];
  const taken = command.options.filter(({ long }) => {
    const name = String(long?.slice('--'.length));
    // An option that is given after -- as well is not lost: the variable may be an old one.
    const arrived = given.some((word) => word === long || word.startsWith(`${long}=`));
    return !arrived && env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined;
  });
  if (taken.length > 0) {
    const names = taken.map(({ long }) => long).join(' and ');
    const flags = taken.map((option) => option.flags).join(' ');
    command.error(
      `error: npm took ${names} for itself. Put options after --, as in: npm start -- ${flags}\n` +
        `PowerShell drops that --; there, type: npx --no petstore start ${flags}`,
    );
  }
};

/**
 * Drops the `--` of `pnpm start -- --port 0`, which pnpm hands on and npm does not. Without
 * arguments, start has nothing that could follow it.
 */
export const withoutDashesOfPnpm = (words: string[]): string[] =>
  words[0] === 'start' && words[1] === '--' ? words.toSpliced(1, 1) : words;
