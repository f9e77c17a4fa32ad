import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * A command whose argument is the directory of a bundle. It names the sources in the source map by
 * their paths in the project. esbuild's URLs are relative to the map, so another directory would
 * change it and redeploy the same code.
 */
const [directory = ''] = process.argv.slice(2);
const map = join(directory, 'index.js.map');
const project = join(import.meta.dirname, '../..');

const nameInProject = (source: string): string =>
  relative(project, resolve(directory, decodeURIComponent(source)))
    .replaceAll('\\', '/')
    // node_modules may be a symbolic link to a directory outside the project.
    .replace(/^\.\.\/.*?(?=node_modules\/)/, '');

const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
writeFileSync(map, JSON.stringify({ ...rest, sources: sources.map(nameInProject) }));
