import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyAssembly } from './kept-assembly.ts';

interface RebundledAssemblyProps {
  /** The directory of the cloud assembly. */
  assembly: string;
  /** Whether debuggers are to find the sources: without minifying, and with source maps. */
  forDebuggers: boolean;
}

/**
 * Returns a copy of a cloud assembly with bundles of functions/ as it is now, without a synthesis.
 * They are made with the same options, so that sources that have not changed give the same bundles.
 * @throws Error with what esbuild says if a source does not compile
 */
export const rebundledAssembly = async (props: RebundledAssemblyProps): Promise<string> => {
  const copy = await copyAssembly(props.assembly);
  const program = join(import.meta.dirname, 'rebundle.ts');
  const options = props.forDebuggers ? ['--debug'] : [];
  try {
    await promisify(execFile)(process.execPath, [program, copy, ...options]);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr ? new Error(`esbuild failed.\n${stderr.trim()}`) : error;
  }
  return copy;
};
