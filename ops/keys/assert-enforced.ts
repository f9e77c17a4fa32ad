import { CliError } from '../cli/cli-error.ts';
import type { Stage } from '../stage/stage.ts';
import type { KeySummary } from './key-summary.ts';

/** @throws CliError if the stage would deny a key of this access everything */
export const assertEnforced = (stage: Stage, access: KeySummary['access']): void => {
  if (access !== 'read' || stage.enforcesReadOnlyKeys) {
    return;
  }
  const message = `${stage.title} was deployed from a version that knows no read-only keys`;
  throw new CliError('unavailable', `${message}, and would accept this one for nothing.`, {
    hint: `Deploy this version first: npx cdk deploy '${stage.stageName}/*'`,
  });
};
