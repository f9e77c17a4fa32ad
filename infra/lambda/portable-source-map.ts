import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Run as a command on a source map: names its sources by their path in the project. esbuild names them as seen from the
 * map, so the same code would have other bytes, and be deployed again, whenever it is bundled in another directory.
 */
const [map = ''] = process.argv.slice(2);
const project = join(import.meta.dirname, '../..');

const nameInProject = (source: string): string =>
  relative(project, resolve(dirname(map), source))
    .replaceAll('\\', '/')
    // node_modules may be a link that leads out of the project.
    .replace(/^\.\.\/.*?(?=node_modules\/)/, '');

const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
writeFileSync(map, JSON.stringify({ ...rest, sources: sources.map(nameInProject) }));
