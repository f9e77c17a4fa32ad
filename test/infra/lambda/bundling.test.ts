import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { bundled, writeBundle } from '../../../infra/lambda/bundling.ts';
import { project } from '../../support/process/tools.ts';
import { assembly } from '../../support/stack/assembly.ts';

const packages = [
  'aws-sdk/((client|lib|util)-dynamodb|core)',
  'middy/(core|http-json-body-parser|util)',
  'smithy/(core|signature-v4|types)',
];
const neededPackage = new RegExp(`^@(${packages.join('|')})$`);
const neededModule =
  /^node:(crypto|events|fs(\/promises)?|http|https|module|os|path|stream(\/(promises|web))?|timers|url|zlib)$/;

const bundles = globSync('asset.*', { cwd: assembly }).map((name) => {
  const files = readdirSync(join(assembly, name)).sort();
  const [bundle = '', map = '{}'] = files.map((file) =>
    readFileSync(join(assembly, name, file), 'utf8'),
  );
  const { sources, sourcesContent } = JSON.parse(map);
  const entryPoint = sources.find((source: string) => /^functions\/[^/]+$/.test(source));
  return { entryPoint, files, bundle, map, sources, sourcesContent };
});

test.each(bundles)(
  'the bundle of $entryPoint is small, and has only what the function needs',
  ({ files, bundle, sources, sourcesContent }) => {
    expect(files).toStrictEqual(['index.js', 'index.js.map']);
    expect(bundle.length).toBeLessThan(120_000);

    // Left out: the credential chain, XML, configuration files, an ESM import of HTTP (it loads
    // fetch), wrapped modules.
    const bundledPackages = sources.flatMap(
      (source: string) => /(?<=node_modules\/)(@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? [],
    );
    expect(bundledPackages.filter((name: string) => !neededPackage.test(name))).toStrictEqual([]);
    expect(bundle).not.toMatch(
      /AssumeRole|<\?xml|\.aws\/|import\("node:http"\)|(?<![\w$])([\w$]+)\(\1=0\)/,
    );

    expect(bundle).not.toMatch(/petstore_[a-z]+_[0-9a-f]{64}|AKIA[0-9A-Z]{16}|PRIVATE KEY/);

    // It loads only the modules of Node that it needs, and no package.
    const required = bundle.match(/(?<=require\(")[^"]+/g) ?? [];
    expect(required.filter((name) => !neededModule.test(name))).toStrictEqual([]);

    // Node does not read the source map on its own, and the map does not contain the sources.
    expect(bundle).not.toContain('sourceMappingURL');
    expect(sourcesContent).toBeUndefined();
    expect(sources).toContain('functions/dynamodb/dynamodb-client.ts');
  },
);

// Else the same code would be deployed again from another machine.
test('the bundle of another checkout is the same, byte for byte', async () => {
  // At another depth, with names of the project's folders, and with blanks and characters that are
  // special to shells and URLs.
  const checkout = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'functions/ünï "$HOME" (%41) #1');
  for (const name of ['functions', 'infra/lambda', 'tsconfig.json', 'package.json']) {
    cpSync(join(project, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'));
  const there = await import(pathToFileURL(join(checkout, 'infra/lambda/bundling.ts')).href);
  const texts = there.bundled('authorizer').map(({ text }: { text: string }) => text);
  const here = bundles.find(({ entryPoint }) => entryPoint === 'functions/authorizer.ts');
  expect(texts.toSorted()).toStrictEqual([here?.bundle, here?.map].toSorted());
});

// An operator's umask may hide new files from other users, and Lambda runs as another user.
test('a bundle is written for every user to read and its own alone to write', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bundle-'));
  const umask = process.umask(0o077);
  writeFileSync(join(directory, 'index.js'), 'of an older bundle', { mode: 0o600 });
  writeBundle(directory, bundled('authorizer'));
  process.umask(umask);
  const modeOf = (name: string) => statSync(join(directory, name)).mode & 0o777;
  expect(['.', 'index.js', 'index.js.map'].map(modeOf)).toStrictEqual([0o755, 0o644, 0o644]);
});
