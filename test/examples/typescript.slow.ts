import { testExample } from '../support/local/example.ts';

testExample('the TypeScript example', async () => [
  process.execPath,
  'examples/typescript/set-quantity.ts',
]);
