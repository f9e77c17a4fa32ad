import { join } from 'node:path';
import { jumping, testClocks } from '../support/clients/clocks.ts';
import type { Program } from '../support/clients/program.ts';
import { testSetQuantityExample } from '../support/clients/set-quantity-example.ts';
import { javaClassPath } from '../support/process/installs.ts';
import { cache, outputOf } from '../support/process/tools.ts';

/** Compiles the example, beside other files, into a folder of the cache. */
const compiled = async (folder: string, ...beside: string[]): Promise<Program> => {
  const classes = join(cache, 'examples/java', folder);
  const libraries = await javaClassPath('examples/java/pom.xml', join(cache, 'examples/java/jars'));
  const files = ['examples/java/SetQuantity.java', ...beside];
  await outputOf('javac', '-d', classes, '-cp', libraries, ...files);
  return ['java', '-cp', `${classes}:${libraries}`, 'SetQuantity'];
};

testSetQuantityExample(() => compiled('classes'));

testClocks(() => compiled('jumping', join(jumping, 'JumpingClocks.java')));
