import { readFileSync } from 'node:fs';
import type { SourceMap } from 'node:module';

/** A position in a bundle, as stack traces write it. A path has one beginning, or slashes would take quadratic time. */
const position = /(?<=[\s(])(\/[^\s():]+\.js):(\d+):(\d+)/g;

const readMap = (bundle: string): SourceMap | undefined => {
  try {
    // Loaded only here, as the map is: as an import it would take 2 % of every cold start.
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  } catch {
    return undefined;
  }
};

const maps = new Map<string, SourceMap | undefined>();

/**
 * A stack trace with positions in the sources instead of the bundle. The map is read only when it is needed:
 * with Node's own --enable-source-maps, every cold start would pay for it.
 */
export const mapStack = (stack: string): string =>
  stack.replace(position, (found, bundle: string, line: string, column: string) => {
    const map = maps.has(bundle) ? maps.get(bundle) : readMap(bundle);
    maps.set(bundle, map);
    const origin = map?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName.replace(/.*?(?=(functions|infra|node_modules)\/)/, '')}:${origin.lineNumber}:${origin.columnNumber}`
      : found;
  });
