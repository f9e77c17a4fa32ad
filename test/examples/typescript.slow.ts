import { testExample } from '../support/example.ts';

testExample('the TypeScript example', async () => [
  process.execPath,
  'examples/typescript/set-quantity.ts',
]);
