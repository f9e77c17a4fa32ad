import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '../..');

/**
 * Returns the project's files that a template is made from, by their paths in the project: infra/,
 * and what that imports of functions/. A change of another file in functions/ changes bundles only.
 */
export const templateSources = async (): Promise<Set<string>> => {
  const { metafile } = await build({
    entryPoints: ['infra/app.ts'],
    absWorkingDir: project,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return new Set(Object.keys(metafile.inputs));
};
