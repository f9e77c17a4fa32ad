import { join } from 'node:path';
import { testExample } from '../support/clients/example.ts';
import { pythonPrograms } from '../support/process/installs.ts';

testExample(async () => [
  join(await pythonPrograms('examples/python'), 'python'),
  'examples/python/set_quantity.py',
]);
