import { hashApiKey } from '../../functions/keys/api-key.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { readSecret } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import type { Stage } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { type IssuedKey, storedKey } from './issued-keys.ts';
import { keyInText } from './key-in-text.ts';
import { keySummary } from './key-summary.ts';
import { printKey } from './print-key.ts';

export const findCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('find', 'read a key, or a line that holds one, from standard input: whose is it?')
    .permissions('dynamodb:GetItem')
    .examples('keys find --stage prod', 'keys find --stage prod --json < leaked.txt')
    .action(async (options: StageOptions) => {
      const stage = await findStage(terminal, options);
      const key = await findOwner(stage, await readSecret(terminal, 'API key (not shown): '));
      printKey(terminal, options, key);
      const { id, state } = keySummary(key);
      if (state === 'active' && id !== null) {
        const revoke = `${npxPetstore} keys revoke ${shellQuoted(id)} --now ${stage.options}`;
        tell(terminal, `Revoke it: ${revoke}`);
      }
    });

const findOwner = async (stage: Stage, text: string): Promise<IssuedKey> => {
  const { apiKey, stageName } = keyInText(text);
  if (stageName !== stage.stageName) {
    const message = `This is a key of ${stageName}, not of ${stage.stageName}.`;
    throw new CliError('not_found', message, {
      hint: `Look there: ${npxPetstore} keys find --stage ${stageName}`,
    });
  }
  const key = await storedKey(stage.apiKeys, hashApiKey(apiKey));
  if (!key) {
    throw new CliError('not_found', 'This key was never issued here.');
  }
  return key;
};
