import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, type Template, withText } from './template.ts';

/** Parses text that is JSON, such as the body of a dashboard, so that a diff shows its lines. */
const parsed = (text: string): Json => {
  try {
    return /^[{[]/.test(text) ? { JSON: JSON.parse(text) } : text;
  } catch {
    // Such as the pattern of a metric filter.
    return text;
  }
};

const withParsed = (template: Template): Json =>
  JSON.parse(JSON.stringify(template), (_key, value) =>
    typeof value === 'string' ? parsed(value) : value,
  );

/**
 * Returns a template as a person reads what is deployed: references and joins as text, JSON in text
 * as what it holds. A key of a bundle becomes its entry point. Of the ids and hashes that the code
 * decides, only the part stays that is the same after a change of it.
 */
export const deployed = (template: Template, entryPoints: Record<string, string> = {}): Json =>
  withParsed(
    withText(
      JSON.parse(
        JSON.stringify(template)
          .replaceAll(/([0-9a-f]{64})\.zip/g, (key, hash) => entryPoints[hash] ?? key)
          .replaceAll(/((?:CurrentVersion|ApiDeployment)[0-9A-F]{8})[0-9a-f]{32}/g, '$1')
          .replaceAll(/(NewVersion(?:Faults|Errors)[0-9A-F]{8})[0-9a-f]{8}/g, '$1')
          .replaceAll(/(?<="FUNCTIONS_HASH":")[0-9a-f]{16}/g, 'of all functions'),
      ),
    ),
  );

/** Returns the entry point of each bundle of an assembly by its hash. */
export const entryPointsIn = (assembly: string): Record<string, string> =>
  Object.fromEntries(
    globSync('asset.*/index.js.map', { cwd: assembly }).map((map) => [
      map.replace(/^asset\.(.*)\/index\.js\.map$/, '$1'),
      JSON.parse(readFileSync(join(assembly, map), 'utf8')).sources.find((source: string) =>
        /^functions\/[^/]+$/.test(source),
      ),
    ]),
  );
