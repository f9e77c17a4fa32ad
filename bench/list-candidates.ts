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
  acceptEncoding: 'identity' | 'gzip';
  environment: NodeJS.ProcessEnv;
  /** Node's command-line options. */
  execArgv: string[];
}

/** The functions' memory in MiB. */
const functionMemory = 1_024;

/** How Lambda's bootstrap divides the memory of a Node function. */
const lambdaHeap = [
  `--max-semi-space-size=${Math.floor(functionMemory * 0.05)}`,
  `--max-old-space-size=${Math.floor(functionMemory * 0.9)}`,
];

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
    execArgv: [],
  };
};

/** The list handler as it would be deployed, and the handlers that it is compared with. */
interface ListCandidates {
  parseAndPrint: ListCandidate;
  list: ListCandidate;
  listGzip: ListCandidate;
  /** These three have the heap that Lambda gives them. */
  parseAndPrintOnLambda: ListCandidate;
  listOnLambda: ListCandidate;
  listGzipOnLambda: ListCandidate;
  buffered: ListCandidate;
}

export const listCandidates = async (): Promise<ListCandidates> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));

  const stack = readStack(await synthesize('staging'), 'staging');
  const deployed = { ...functionOf(stack, 'ListInventory'), handler: 'index.handler' };
  const list: ListCandidate = {
    ...deployed,
    name: 'list',
    acceptEncoding: 'identity',
    execArgv: [],
  };
  const listGzip: ListCandidate = { ...list, name: 'list, gzip', acceptEncoding: 'gzip' };
  const parseAndPrint = await baseline('parse-and-print', 'parse and print', directory);
  const onLambda = (candidate: ListCandidate): ListCandidate => ({
    ...candidate,
    name: `${candidate.name}, Lambda's heap`,
    execArgv: lambdaHeap,
  });
  return {
    parseAndPrint,
    list,
    listGzip,
    parseAndPrintOnLambda: onLambda(parseAndPrint),
    listOnLambda: onLambda(list),
    listGzipOnLambda: onLambda(listGzip),
    buffered: await baseline('buffered', 'buffered', directory),
  };
};
