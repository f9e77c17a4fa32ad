import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
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
  expect(bundles.map(({ entryPoint }) => entryPoint).sort()).toEqual([
    'functions/authorizer.ts',
    'functions/list-inventory.ts',
    'functions/update-inventory.ts',
  ]);
});

test.each(bundles)(
  'the bundle of $entryPoint is small, and has only what the function needs',
  ({ directory, sources, sourcesContent }) => {
    expect(readdirSync(directory).sort()).toEqual(['index.js', 'index.js.map']);
    const bundle = readFileSync(join(directory, 'index.js'), 'utf8');
    expect(bundle.length).toBeLessThan(120_000);

    // Left out: the credential chain, XML, configuration files, an ESM import of HTTP (it loads
    // fetch), wrapped modules.
    const bundled = sources.flatMap(
      (source: string) => /(?<=node_modules\/)(@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [],
    );
    expect(bundled.filter((name: string) => !needed.test(name))).toEqual([]);
    expect(bundle).not.toMatch(
      /AssumeRole|<\?xml|\.aws\/|import\("node:http"\)|(?<![\w$])([\w$]+)\(\1=0\)/,
    );

    // It loads only the modules of Node that it needs, and no package.
    const required = bundle.match(/(?<=require\(")[^"]+/g) ?? [];
    const modules =
      /^node:(crypto|events|fs(\/promises)?|http|https|module|os|path|stream(\/(promises|web))?|timers|url|zlib)$/;
    expect(required.filter((name) => !modules.test(name))).toEqual([]);

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
  expect(texts.filter(([, text]) => secret.test(text))).toEqual([]);
});
