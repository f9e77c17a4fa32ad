import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { npmPrograms } from '../../support/process/installs.ts';
import { cache, outputOf, project } from '../../support/process/tools.ts';

const generated = join(cache, 'generated/hey-api');
const generator = async () => join(await npmPrograms('test/peers/generators'), 'openapi-ts');

const compiler = join(project, 'node_modules/.bin/tsc');
const strictly =
  '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler';

test('@hey-api/openapi-ts generates code that compiles, without a warning', async () => {
  const directory = join(generated, 'plain');
  rmSync(directory, { recursive: true, force: true });
  const options = ['--no-log-file', '--input', 'openapi.yaml', '--output', directory];
  expect(await outputOf(await generator(), ...options)).not.toMatch(/warn|error|⚠|❌|🛑/i);

  const sources = globSync('**/*.ts', { cwd: directory }).map((file) => join(directory, file));
  expect(sources.length).toBeGreaterThan(0);
  await outputOf(compiler, ...strictly.split(' '), ...sources);
});

// docs/api.md warns of it. Once this is red, the warning is to be taken back.
test('the bigint of @hey-api/openapi-ts is made of a number that has been rounded', async () => {
  const directory = join(generated, 'bigint');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  const config = join(generated, 'bigint.config.mjs');
  const sdk = { name: '@hey-api/sdk', transformer: true };
  const transformers = { name: '@hey-api/transformers', bigInt: true };
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', sdk, transformers];
  const options = { input: join(project, 'openapi.yaml'), output: directory, plugins };
  writeFileSync(config, `export default ${JSON.stringify(options)};`);
  await outputOf(await generator(), '--no-log-file', '--file', config);

  const list = '[{"petId":9007199254740993,"quantity":5,"status":"available"}]';
  const program = `
    import { listInventory } from './sdk.gen.ts';
    const headers = { 'Content-Type': 'application/json' };
    const fetch = async () => new Response('${list}', { headers });
    const { data } = await listInventory({ baseUrl: 'http://petstore.invalid/v1', fetch });
    console.log(data[0].petId);
  `;
  writeFileSync(join(directory, 'list.ts'), program);
  const bundle = join(directory, 'list.mjs');
  const esbuild = join(project, 'node_modules/.bin/esbuild');
  const bundling = ['--bundle', '--format=esm', `--outfile=${bundle}`];
  await outputOf(esbuild, join(directory, 'list.ts'), ...bundling);
  expect(await outputOf(process.execPath, bundle)).toBe('9007199254740992n\n');
});
