import { join } from 'node:path';
import {
  testEnvironmentProxy,
  testSetQuantityExample,
} from '../support/clients/set-quantity-example.ts';
import { cache, outputOf, project } from '../support/process/tools.ts';

testSetQuantityExample(async () => {
  const program = join(cache, 'examples/go/set-quantity');
  await outputOf('go', '-C', join(project, 'examples/go'), 'build', '-o', program, '.');
  return [program];
});

testEnvironmentProxy();
