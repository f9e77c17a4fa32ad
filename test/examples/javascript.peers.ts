import { expect, test } from '@jest/globals';
import { testClocks, withJumpingClocks } from '../support/clients/clocks.ts';
import { type Program, runClient } from '../support/clients/program.ts';
import { testRightPet } from '../support/clients/right-pet.ts';
import { failure, list, scriptedService } from '../support/clients/scripted-service.ts';
import { testSetQuantityExample } from '../support/clients/set-quantity-example.ts';
import { npmPrograms, olderNode } from '../support/process/installs.ts';

const program = 'examples/javascript/set-quantity.js';

testSetQuantityExample(async () => {
  await npmPrograms('examples/javascript');
  return [await olderNode('test/examples/node-18'), program];
});

testRightPet('the example on Node 24', async () => [process.execPath, program], {
  isConditional: false,
});

testClocks(async () => withJumpingClocks(program));

test('setQuantity repeats requests without headers, as a web page calls it', async () => {
  const webPage = `
    const { PETSTORE_BASE_URL: baseUrl } = process.env;
    const { log } = console;
    delete globalThis.process;
    const { setQuantity } = await import('./${program}');
    const { status } = await setQuantity({ baseUrl, petId: '1', quantity: 5n });
    log(status);
  `;
  const page: Program = [process.execPath, '--input-type=module', '--eval', webPage];
  const { baseUrl, methods } = await scriptedService([failure(502), list, failure(502)]);
  expect(await runClient(page, { baseUrl })).toStrictEqual({
    code: 0,
    output: 'available\n',
    errors: '',
  });
  expect(methods()).toStrictEqual(['GET', 'GET', 'PATCH', 'PATCH']);
});
