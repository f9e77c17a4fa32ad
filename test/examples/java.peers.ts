import { join } from 'node:path';
import { testSafeUpdates } from '../support/clients/safe-updates.ts';
import { javaClassPath } from '../support/process/installs.ts';
import { cache, outputOf } from '../support/process/tools.ts';

testSafeUpdates(async () => {
  const classes = join(cache, 'examples/java/classes');
  const libraries = await javaClassPath('examples/java/pom.xml', join(cache, 'examples/java/jars'));
  await outputOf('javac', '-d', classes, '-cp', libraries, 'examples/java/SetQuantity.java');
  return ['java', '-cp', `${classes}:${libraries}`, 'SetQuantity'];
});
