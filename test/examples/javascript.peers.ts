import { testExample } from '../support/clients/example.ts';
import { testRightPet } from '../support/clients/right-pet.ts';
import { npmPrograms, olderNode } from '../support/process/installs.ts';

const program = 'examples/javascript/set-quantity.js';

testExample(async () => {
  await npmPrograms('examples/javascript');
  return [await olderNode('test/examples/node-18'), program];
});

testRightPet('the example on Node 24', async () => [process.execPath, program]);
