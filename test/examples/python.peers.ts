import { join } from 'node:path';
import { jumping, testClocks } from '../support/clients/clocks.ts';
import {
  testEnvironmentProxy,
  testSetQuantityExample,
} from '../support/clients/set-quantity-example.ts';
import { pythonPrograms } from '../support/process/installs.ts';

const python = async () => join(await pythonPrograms('examples/python'), 'python');

testSetQuantityExample(async () => [await python(), 'examples/python/set_quantity.py']);

testClocks(async () => [
  await python(),
  join(jumping, 'clocks.py'),
  'examples/python/set_quantity.py',
]);

testEnvironmentProxy();
