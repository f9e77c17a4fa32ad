import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const module = import.meta.resolve('../../../infra/assembly/template-sources.ts');

test('a template is made from infra/ and from what that imports of functions/', () => {
  // In a process of its own, because esbuild's API does not run in Jest.
  const script = `
    import { templateSources } from ${JSON.stringify(module)};
    console.log(JSON.stringify([...await templateSources()]));`;
  const args = ['--input-type=module', '--eval', script];
  const sources = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(sources).toContain('infra/settings/stages.ts');
  expect(sources).toContain('functions/errors/api-error.ts');
  expect(sources).not.toContain('functions/inventory/parse-update.ts');
});
