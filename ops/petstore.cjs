#!/usr/bin/env node
// CommonJS, so that any Node can say what is missing.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const { node } = process.versions;
if (!existsSync(join(__dirname, '../node_modules/commander'))) {
  console.error('petstore: its packages are not installed. Run npm ci in the checkout.');
  process.exitCode = 1;
} else if (Number.parseInt(node, 10) < 24) {
  console.error(`petstore: this is Node ${node}, and it needs 24. Run it as npx petstore, or install Node 24.`);
  process.exitCode = 1;
} else {
  import('./main.ts');
}
