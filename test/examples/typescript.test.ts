import { testGeneratedClient } from '../support/local/example.ts';

// typescript.slow.ts tests how the example waits and retries.
testGeneratedClient('the TypeScript example', async () => [
  process.execPath,
  'examples/typescript/set-quantity.ts',
]);
