import { join } from 'node:path';
import { testSafeUpdates } from '../support/clients/safe-updates.ts';
import { cache, outputOf, project } from '../support/process/tools.ts';

testSafeUpdates(async () => {
  const program = join(cache, 'examples/go/set-quantity');
  await outputOf('go', '-C', join(project, 'examples/go'), 'build', '-o', program, '.');
  return [program];
});
