import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * Run as a command on the directory of a bundle: names the sources in its map by their path in the project. esbuild names
 * them as seen from the map, as URLs, so the same code would have other bytes, and be deployed again, in another directory.
 */
const [directory = ''] = process.argv.slice(2);
const map = join(directory, 'index.js.map');
const project = join(import.meta.dirname, '../..');

const nameInProject = (source: string): string =>
  relative(project, resolve(directory, decodeURIComponent(source)))
    .replaceAll('\\', '/')
    // node_modules may be a link that leads out of the project.
    .replace(/^\.\.\/.*?(?=node_modules\/)/, '');

const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
writeFileSync(map, JSON.stringify({ ...rest, sources: sources.map(nameInProject) }));
