#!/usr/bin/env node
// CommonJS, so that any Node can say what is missing.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const { node } = process.versions;
const missing = !existsSync(join(__dirname, '../node_modules/commander'))
  ? 'run npm ci in this checkout first, which installs its packages.'
  : Number.parseInt(node, 10) < 24 && `run it as npx petstore, or install Node 24: this is Node ${node}.`;
if (missing) {
  console.error(`petstore: ${missing}`);
  process.exitCode = 1;
} else {
  import('./main.ts');
}
