import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rebundledAssembly } from '../../../infra/assembly/rebundled-assembly.ts';
import { sharedAssembly } from '../../support/stack/shared-assembly.ts';

const assembly = await sharedAssembly();

/** Returns the text of each bundle and its source map by path. */
const bundlesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    globSync('asset.*/index.js{,.map}', { cwd: directory }).map((path) => [
      path,
      readFileSync(join(directory, path), 'utf8'),
    ]),
  );

test('bundles that are made anew are those that the CDK makes', async () => {
  const copy = await rebundledAssembly({ assembly, forDebuggers: false });
  const bundles = bundlesIn(copy);
  expect(Object.keys(bundles)).toHaveLength(6);
  expect(bundles).toEqual(bundlesIn(assembly));
});

test('bundles for debuggers name their sources, and can be read', async () => {
  const bundles = bundlesIn(await rebundledAssembly({ assembly, forDebuggers: true }));
  for (const [path, text] of Object.entries(bundles)) {
    if (path.endsWith('.map')) {
      expect(JSON.parse(text).sourceRoot).toMatch(/^file:\/\/\/.*\/$/);
    } else {
      expect(text).toMatch(/\n\/\/# sourceMappingURL=index\.js\.map\n$/);
      expect(text.split('\n').length).toBeGreaterThan(500);
    }
  }
});

test('a bundle that cannot be made is an error that says why', async () => {
  const unknown = mkdtempSync(join(tmpdir(), 'petstore-unknown-'));
  mkdirSync(join(unknown, 'asset.1'));
  writeFileSync(join(unknown, 'asset.1/index.js.map'), '{"sources":["elsewhere.ts"]}');
  const rebundling = rebundledAssembly({ assembly: unknown, forDebuggers: false });
  await expect(rebundling).rejects.toThrow(/^esbuild failed\.\n.*asset\.1 is no bundle of /);
});
