import { CliError } from '../cli/cli-error.ts';

/** The error of a command whose petId no entry has. */
export const notFound = (petId: string): CliError =>
  new CliError('not_found', `No entry has the petId ${petId}.`);
