import { join } from 'node:path';
import {
  testEnvironmentProxy,
  testSetQuantityExample,
} from '../support/clients/set-quantity-example.ts';
import { pythonPrograms } from '../support/process/installs.ts';

testSetQuantityExample(async () => [
  join(await pythonPrograms('examples/python'), 'python'),
  'examples/python/set_quantity.py',
]);

testEnvironmentProxy();
