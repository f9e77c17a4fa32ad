import { testRightPet } from '../support/clients/right-pet.ts';
import { testSafeUpdates } from '../support/clients/safe-updates.ts';
import { npmPrograms, olderNode } from '../support/process/installs.ts';

const program = 'examples/javascript/set-quantity.js';

testSafeUpdates(async () => {
  await npmPrograms('examples/javascript');
  return [await olderNode('test/examples/node-18'), program];
});

testRightPet('the example on Node 24', async () => [process.execPath, program]);
