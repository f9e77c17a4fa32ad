import type { Command } from 'commander';

/**
 * Refuses a command that npm runs as its script of the same name, `npm start`, if npm has taken an
 * option of it. Without `--`, npm takes every option for its own settings, and passes unknown ones on
 * as variables of the environment alone: `--data DIR` would be lost, and then the stock.
 * @throws CommanderError
 */
export const refuseOptionsTakenByNpm = (command: Command, env: NodeJS.ProcessEnv): void => {
  const script = env.npm_lifecycle_event;
  if (script !== command.name()) {
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
    const usage = `npm ${script} -- ${taken.map(({ flags }) => flags).join(' ')}`;
    command.error(`error: npm took ${names} for itself. Options come after --, as in: ${usage}`);
  }
};
