import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atEnd } from '../../support/process/at-end.ts';

const module = import.meta.resolve('../../../infra/assembly/kept-assembly.ts');

/** Root could read everything, so the script runs as another user, to whom /tmp is open. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test('an assembly with a part that cannot be read is not found, and ends no process', () => {
  const cache = mkdtempSync('/tmp/petstore-unreadable-');
  const unreadable = join(cache, 'staging-abc/asset.1');
  atEnd(() => {
    chmodSync(unreadable, 0o700);
    rmSync(cache, { recursive: true });
  });
  chmodSync(cache, 0o755);
  mkdirSync(unreadable, { recursive: true });
  writeFileSync(join(unreadable, '../manifest.json'), '{}');
  chmodSync(unreadable, 0);

  const kept = { cache, name: 'staging', hash: 'abc' };
  const script = `
    import { copyKept } from ${JSON.stringify(module)};
    ${isRoot ? `process.setuid(${nobody});` : ''}
    console.log(await copyKept(${JSON.stringify(kept)}));`;
  const { status, signal, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env: { ...process.env, TMPDIR: '/tmp' }, encoding: 'utf8' },
  );
  expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: 'undefined\n' });
});
