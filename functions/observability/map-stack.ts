import { readFileSync } from 'node:fs';
import type { SourceMap } from 'node:module';

/**
 * Matches a position in a stack trace. Without the lookbehind, many slashes would take quadratic
 * time.
 */
const position = /(?<=[\s(])(\/[^\s():]+\.js):(\d+):(\d+)/g;

const readMap = (bundle: string): SourceMap | undefined => {
  try {
    // Loaded only when needed, like the map: an import would take 2 % of every cold start.
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  } catch {
    return undefined;
  }
};

const maps = new Map<string, SourceMap | undefined>();

const mapOf = (bundle: string): SourceMap | undefined => {
  if (!maps.has(bundle)) {
    maps.set(bundle, readMap(bundle));
  }
  return maps.get(bundle);
};

/** Returns the path of a source from the root of the repository. */
const fromRoot = (path: string): string => path.replace(/.*?(?=(functions|node_modules)\/)/, '');

/**
 * Returns a stack trace whose positions are in the sources instead of the bundle. The source map is
 * read only when it is needed; with Node's own --enable-source-maps, every cold start would read
 * it.
 */
export const mapStack = (stack: string): string =>
  stack.replace(position, (found, bundle: string, line: string, column: string) => {
    const origin = mapOf(bundle)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) {
      return found;
    }
    return `${fromRoot(origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  });
