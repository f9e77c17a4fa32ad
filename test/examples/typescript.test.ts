import { testGeneratedClient } from '../support/example.ts';

// How it waits and tries again is in typescript.slow.ts.
testGeneratedClient('the TypeScript example', async () => [process.execPath, 'examples/typescript/set-quantity.ts']);
