import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';

interface FunctionProperties {
  Description: string;
  Code: { S3Key: string };
  Environment: { Variables: Record<string, string> };
}

/** A handler to measure. */
export interface HandlerBundle {
  name: string;
  /** The directory of its index.js. */
  taskRoot: string;
  acceptEncoding: string;
  environment: NodeJS.ProcessEnv;
}

/** Bundles a peer as the stack bundles its functions. */
const bundlePeer = (name: string, directory: string): HandlerBundle => {
  const taskRoot = join(directory, name);
  buildSync({
    entryPoints: [join(import.meta.dirname, 'baselines', `${name}.ts`)],
    outfile: join(taskRoot, 'index.js'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    mainFields: ['module', 'main'],
  });
  return { name, taskRoot, acceptEncoding: 'identity', environment: {} };
};

/** The list as it would be deployed, plain and compressed, and its peers. */
export const handlerBundles = async (): Promise<HandlerBundle[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));

  const stack = readStack(await synthesize('staging'), 'staging');
  const functions = stack.resources<FunctionProperties>('AWS::Lambda::Function').values();
  const list = functions.find(({ Description }) => Description === 'GET /inventory');
  const taskRoot = stack.assetDirectory(list?.Code.S3Key ?? '');
  const environment = list?.Environment.Variables ?? {};
  return [
    { ...bundlePeer('list-floor', directory), name: 'floor' },
    { name: 'list', taskRoot, acceptEncoding: 'identity', environment },
    { name: 'list, gzip', taskRoot, acceptEncoding: 'gzip', environment },
    bundlePeer('buffered', directory),
  ];
};
