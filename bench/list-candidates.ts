import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { bundle, commonjs } from './bundles.ts';
import { functionOf } from './candidates.ts';

/** A handler of GET /inventory to measure. */
export interface ListCandidate {
  name: string;
  /** The directory of the bundle. */
  taskRoot: string;
  /** The file and its export, such as `index.handler`. */
  handler: string;
  acceptEncoding: string;
  environment: NodeJS.ProcessEnv;
}

const baseline = async (
  source: string,
  name: string,
  directory: string,
): Promise<ListCandidate> => {
  await bundle(`baselines/${source}.ts`, commonjs, directory);
  return {
    name,
    taskRoot: directory,
    handler: `${source}.handler`,
    acceptEncoding: 'identity',
    environment: {},
  };
};

/**
 * Returns the list handler as it would be deployed, with and without compression, and its
 * baselines.
 */
export const listCandidates = async (): Promise<ListCandidate[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));

  const stack = readStack(await synthesize('staging'), 'staging');
  const deployed = { ...functionOf(stack, 'ListInventory'), handler: 'index.handler' };
  return [
    await baseline('list-floor', 'floor', directory),
    { ...deployed, name: 'list', acceptEncoding: 'identity' },
    { ...deployed, name: 'list, gzip', acceptEncoding: 'gzip' },
    await baseline('buffered', 'buffered', directory),
  ];
};
