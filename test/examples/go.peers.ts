import { join } from 'node:path';
import { testExample } from '../support/clients/example.ts';
import { cache, outputOf, project } from '../support/process/tools.ts';

testExample(async () => {
  const program = join(cache, 'examples/go/set-quantity');
  await outputOf('go', '-C', join(project, 'examples/go'), 'build', '-o', program, '.');
  return [program];
});
