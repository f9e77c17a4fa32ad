#!/usr/bin/env node
// CommonJS, so that older releases of Node can read it.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { runOnNode24 } = require('../node-24.cjs');

if (existsSync(join(__dirname, '../node_modules/commander'))) {
  runOnNode24(join(__dirname, 'main.ts'), process.argv.slice(2));
} else {
  const advice = 'Run npm ci in this checkout first: it installs the packages that petstore needs.';
  console.error(`petstore: ${advice}`);
  process.exitCode = 1;
}
