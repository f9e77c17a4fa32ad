import { CliError } from '../cli/errors.ts';
import type { Stage } from '../stage/stage.ts';

/**
 * Makes sure that a stage can read what is about to be written to it.
 * @throws CliError that names the statuses which it cannot read yet
 */
export const checkStatuses = ({ stageName, statuses }: Stage, written: Iterable<string>): void => {
  const unknown = [...new Set(written)].filter((status) => !statuses.includes(status));
  if (unknown.length > 0) {
    throw new CliError(
      `${stageName} cannot read the status ${unknown.join(' or ')} yet: every list would fail. ` +
        `Release this version to ${stageName} first. Nothing was written.`,
    );
  }
};
