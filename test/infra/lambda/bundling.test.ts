import { globSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { bundled, writeBundle } from '../../../infra/lambda/bundling.ts';
import { project } from '../../support/process/tools.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { readAssembly } from '../../support/stack/synthesized.ts';

const packages = [
  'aws-sdk/((client|lib|util)-dynamodb|core)',
  'middy/(core|http-json-body-parser|util)',
  'smithy/(core|signature-v4|types)',
];
const needed = new RegExp(`^@(${packages.join('|')})$`);

const bundles = globSync(join(assembly, 'asset.*')).map((directory) => {
  const map = JSON.parse(readFileSync(join(directory, 'index.js.map'), 'utf8'));
  const entryPoint = map.sources.find((source: string) => /^functions\/[^/]+$/.test(source));
  return { directory, entryPoint, ...map };
});

test('there is one bundle for each function', () => {
  expect(bundles.map(({ entryPoint }) => entryPoint).sort()).toStrictEqual([
    'functions/authorizer.ts',
    'functions/list-inventory.ts',
    'functions/update-inventory.ts',
  ]);
});

test.each(bundles)(
  'the bundle of $entryPoint is small, and has only what the function needs',
  ({ directory, sources, sourcesContent }) => {
    expect(readdirSync(directory).sort()).toStrictEqual(['index.js', 'index.js.map']);
    const bundle = readFileSync(join(directory, 'index.js'), 'utf8');
    expect(bundle.length).toBeLessThan(120_000);

    // Left out: the credential chain, XML, configuration files, an ESM import of HTTP (it loads
    // fetch), wrapped modules.
    const bundled = sources.flatMap(
      (source: string) => /(?<=node_modules\/)(@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [],
    );
    expect(bundled.filter((name: string) => !needed.test(name))).toStrictEqual([]);
    expect(bundle).not.toMatch(
      /AssumeRole|<\?xml|\.aws\/|import\("node:http"\)|(?<![\w$])([\w$]+)\(\1=0\)/,
    );

    // It loads only the modules of Node that it needs, and no package.
    const required = bundle.match(/(?<=require\(")[^"]+/g) ?? [];
    const modules =
      /^node:(crypto|events|fs(\/promises)?|http|https|module|os|path|stream(\/(promises|web))?|timers|url|zlib)$/;
    expect(required.filter((name) => !modules.test(name))).toStrictEqual([]);

    // Node does not read the source map on its own, and the map does not contain the sources.
    expect(bundle).not.toContain('sourceMappingURL');
    expect(sourcesContent).toBeUndefined();
    expect(sources).toContain('functions/dynamodb/dynamodb-client.ts');
  },
);

test('no secret is in a template or a bundle', () => {
  const texts = Object.entries(readAssembly(assembly));
  // These are the templates of both stages, and a bundle and a source map of each function.
  expect(texts).toHaveLength(2 + 2 * bundles.length);
  const secret = /petstore_(staging|prod)_[0-9a-f]{48}|AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY/;
  expect(texts.filter(([, text]) => secret.test(text))).toStrictEqual([]);
});

/** Returns the texts of a bundle and its source map, which are made in memory. */
const bundledTexts = (entryPoint: string, options?: { forDebuggers: boolean }) => {
  const files = bundled(entryPoint, options).map(({ path, text }) => [basename(path), text]);
  return Object.fromEntries(files) as Record<string, string>;
};

test('a bundle is made in memory, with the bytes that are deployed', () => {
  const [deployed] = bundles.filter(({ entryPoint }) => entryPoint === 'functions/authorizer.ts');
  const textOf = (name: string) => readFileSync(join(deployed.directory, name), 'utf8');
  expect(bundledTexts('authorizer')).toStrictEqual({
    'index.js': textOf('index.js'),
    'index.js.map': textOf('index.js.map'),
  });
});

test('a bundle for debuggers is readable, and its map leads to the sources', () => {
  const texts = bundledTexts('authorizer', { forDebuggers: true });
  expect(texts['index.js']).toContain('// functions/authorizer.ts\n');
  expect(texts['index.js']).toMatch(/\n\/\/# sourceMappingURL=index\.js\.map\n$/);
  const { sourceRoot, sources } = JSON.parse(texts['index.js.map'] ?? '');
  expect(sourceRoot).toBe(`${pathToFileURL(project)}/`);
  expect(sources).toContain('functions/authorizer.ts');
});

test('what does not compile is an error of esbuild, before anything is written', () => {
  const message = /^Build failed with 1 error:\nerror: Could not resolve "functions\/nothing\.ts"$/;
  expect(() => bundled('nothing')).toThrow(message);
});

test('a bundle is written for every user to read and its own alone to write', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bundle-'));
  const umask = process.umask(0o077);
  writeFileSync(join(directory, 'index.js'), 'of an older bundle', { mode: 0o600 });
  writeBundle(directory, bundled('authorizer'));
  process.umask(umask);
  const modeOf = (name: string) => statSync(join(directory, name)).mode & 0o777;
  expect(['.', 'index.js', 'index.js.map'].map(modeOf)).toStrictEqual([0o755, 0o644, 0o644]);
});
