import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import manifest from '../package.json' with { type: 'json' };
import { olderNode } from './support/process/installs.ts';
import { ended, project } from './support/process/tools.ts';

test('Node 18 can read the launcher, and petstore then runs on Node 24', async () => {
  const node = await olderNode('test/examples/node-18');
  // Node 18 does not know the options that the tests run with.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(node, [join(project, 'ops/petstore.cjs'), '--version'], { env });
  expect(await ended(child)).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
});
