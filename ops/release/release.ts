import { npxPetstore } from '../cli/command-line.ts';
import type { Terminal } from '../cli/terminal.ts';
import { appOption } from '../preflight/preflight.ts';

export interface ReleaseOptions {
  stage?: string;
  /** The cloud assembly, as the operator named it. Without it, one is synthesized. */
  app?: string;
  yes?: boolean;
  json?: boolean;
}

export interface ReleasedStage {
  stageName: string;
  /** A key of the stage, if one was given. */
  apiKey: string | undefined;
}

export interface Release {
  /** What the steps print to, and their environment. It holds no API key. */
  terminal: Terminal;
  options: ReleaseOptions;
  /** The directory of the cloud assembly. */
  assembly: string;
  /** A directory for files of this release alone. */
  directory: string;
}

/** Returns the command that does the steps of a stage, or of both, again. */
export const releaseAgain = ({ app }: ReleaseOptions, stageName: string | undefined): string => {
  const stage = stageName === undefined ? '' : ` --stage ${stageName}`;
  return `${npxPetstore} release${stage}${appOption(app)}`;
};
