import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { npxPetstore } from '../../../ops/cli/command-line.ts';
import { serve } from '../../support/http/serve.ts';
import { temporaryDirectory } from '../../support/local/local-run.ts';
import { ended } from '../../support/process/tools.ts';
import { trackedFiles } from '../../support/process/tracked-files.ts';

test('outside the checkout, a petstore command fetches no package of that name', async () => {
  const requested: string[] = [];
  const registry = await serve(({ url = '' }, response) => {
    requested.push(url);
    const dist = { tarball: `${registry}/petstore.tgz` };
    const versions = { '1.0.0': { name: 'petstore', version: '1.0.0', bin: 'x.js', dist } };
    const packument = { name: 'petstore', 'dist-tags': { latest: '1.0.0' }, versions };
    response.end(JSON.stringify(packument));
  });
  const [command = '', ...options] = npxPetstore.split(' ');
  const elsewhere = spawn(command, [...options, 'keys', 'list', '--local'], {
    cwd: mkdtempSync(join(temporaryDirectory, 'elsewhere-')),
    env: {
      ...process.env,
      npm_config_registry: registry,
      npm_config_cache: join(temporaryDirectory, 'npm'),
    },
  });
  const { code, output, errors } = await ended(elsewhere);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toContain('npx canceled due to missing packages');
  expect(requested.filter((url) => url.endsWith('.tgz'))).toEqual([]);
});

test('every petstore command in the code and the documents is spelled so', () => {
  const files = trackedFiles(/\.(md|ts|cjs|js|html|json|ya?ml|sh)$|^\.ci\/run$/);
  const spellings = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(npx|npm exec)\b[\w -]*? petstore\b/g)].map(
      ([spelling]) => `${file}: ${spelling}`,
    ),
  );
  expect(spellings.length).toBeGreaterThan(10);
  expect(spellings.filter((each) => !each.endsWith(`: ${npxPetstore}`))).toEqual([]);
});
