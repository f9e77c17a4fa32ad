import { join } from 'node:path';
import { testSafeUpdates } from '../support/clients/safe-updates.ts';
import { pythonPrograms } from '../support/process/installs.ts';

testSafeUpdates(async () => [
  join(await pythonPrograms('examples/python'), 'python'),
  'examples/python/set_quantity.py',
]);
