#!/usr/bin/env node
// CommonJS, so that even a Node that is too old can run this file and print what is missing.
const { existsSync } = require('node:fs');

const { node } = process.versions;
const missing = !existsSync(`${__dirname}/../node_modules/commander`)
  ? 'Run npm ci in this checkout first: it installs the packages that petstore needs.'
  : Number.parseInt(node, 10) < 24 &&
    `Node 24 is needed, not ${node}: run it as npx --no -- petstore, or install Node 24.`;
if (missing) {
  console.error(`petstore: ${missing}`);
  process.exitCode = 1;
} else {
  import('./main.ts');
}
