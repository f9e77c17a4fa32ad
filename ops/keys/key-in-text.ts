import { apiKeyPattern, isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { CliError } from '../cli/cli-error.ts';
import { type stageNames as names, stageNames } from '../stage/stage.ts';

interface FoundKey {
  apiKey: string;
  /** The stage whose name is part of the key. */
  stageName: (typeof names)[number];
}

const form = 'A key is petstore_STAGE_ followed by 48 hex digits.';

/**
 * Finds the API key in a text, such as a header or a line of a log.
 * @throws CliError, which never repeats the text, if there is no key in it, or several
 */
export const keyInText = (text: string): FoundKey => {
  const candidates = new Set(text.match(/petstore_[A-Za-z]+_\w*/g));
  const [candidate] = candidates;
  if (candidate === undefined) {
    throw new CliError('invalid', `There is no API key in this. ${form}`);
  }
  if (candidates.size > 1) {
    throw new CliError('invalid', `There are ${candidates.size} keys in this. Give one at a time.`);
  }
  return checked(candidate);
};

const checked = (candidate: string): FoundKey => {
  const stageName = stageNames.find((name) =>
    new RegExp(`^${apiKeyPattern(name)}$`).test(candidate),
  );
  if (stageName === undefined) {
    const digits = candidate.replace(/^petstore_[A-Za-z]+_/, '').length;
    const lengths = digits === 48 ? '' : ` This has ${digits}.`;
    throw new CliError('invalid', `This is not an API key. ${form}${lengths}`);
  }
  if (!isWellFormedApiKey(candidate, stageName)) {
    throw new CliError(
      'invalid',
      'This is no API key that was ever issued: its checksum is wrong.',
      {
        hint: 'A digit is wrong, or two are in the wrong order.',
      },
    );
  }
  return { apiKey: candidate, stageName };
};
