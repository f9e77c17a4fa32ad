import { testExample } from '../support/clients/example.ts';
import { testRightPet } from '../support/clients/right-pet.ts';
import { npmPrograms, olderNode } from '../support/process/installs.ts';
import { outputOf } from '../support/process/tools.ts';

const folder = 'examples/typescript';
const program = `${folder}/dist/set-quantity.js`;

// What `npm run build` does, on Node 20.
testExample(async () => {
  await npmPrograms(folder);
  const node = await olderNode('test/examples/node-20');
  await outputOf(node, `${folder}/generate-types.js`);
  await outputOf(node, `${folder}/node_modules/typescript/bin/tsc`, '--project', folder);
  return [node, program];
});

testRightPet('the example on Node 24', async () => [process.execPath, program]);
