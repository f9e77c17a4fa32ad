import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A position in a bundle, as stack traces write it. */
const position = /(\/[^\s():]+\.js):(\d+):(\d+)/g;

const readMap = (bundle: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * The same error, with positions in the sources instead of the bundle in its stack and its causes'.
 * The map is read only now, because with Node's own --enable-source-maps every cold start would pay for it.
 */
export const mapStack = (error: unknown): unknown => {
  if (!(error instanceof Error && error.stack)) {
    return error;
  }
  const maps = new Map<string, SourceMap | undefined>();
  error.stack = error.stack.replace(position, (found, bundle: string, line: string, column: string) => {
    const map = maps.get(bundle) ?? readMap(bundle);
    maps.set(bundle, map);
    const origin = map?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName.replace(/.*?(?=(functions|infra|node_modules)\/)/, '')}:${origin.lineNumber}:${origin.columnNumber}`
      : found;
  });
  mapStack(error.cause);
  return error;
};
