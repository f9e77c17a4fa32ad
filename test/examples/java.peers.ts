import { join } from 'node:path';
import { testSetQuantityExample } from '../support/clients/set-quantity-example.ts';
import { javaClassPath } from '../support/process/installs.ts';
import { cache, outputOf } from '../support/process/tools.ts';

testSetQuantityExample(async () => {
  const classes = join(cache, 'examples/java/classes');
  const libraries = await javaClassPath('examples/java/pom.xml', join(cache, 'examples/java/jars'));
  await outputOf('javac', '-d', classes, '-cp', libraries, 'examples/java/SetQuantity.java');
  return ['java', '-cp', `${classes}:${libraries}`, 'SetQuantity'];
});
