#!/usr/bin/env node
// CommonJS, so that any Node can say what is missing.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const missing = !existsSync(join(__dirname, '../node_modules/commander'))
  ? 'its packages are not installed. Run npm ci in the checkout.'
  : Number.parseInt(process.versions.node, 10) < 24 &&
    `this is Node ${process.versions.node}, and it needs 24. Run it as npx petstore, or install Node 24.`;

if (missing) {
  console.error(`petstore: ${missing}`);
  process.exitCode = 1;
} else {
  Promise.all([import('./program.ts'), import('./cli/process-terminal.ts')]).then(
    async ([{ runProgram }, { processTerminal }]) => {
      const code = await runProgram(process.argv.slice(2), processTerminal);
      process.stdout.write('', () => process.exit(code));
    },
  );
}
