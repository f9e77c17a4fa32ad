import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('the bench writes no progress into a pipe', async () => {
  const progress = join(import.meta.dirname, '../../bench/progress.ts');
  const program = `import { showProgress } from ${JSON.stringify(progress)}; showProgress('round 1'); console.log('done');`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
});
