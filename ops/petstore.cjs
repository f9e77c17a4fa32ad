#!/usr/bin/env node
// CommonJS, so that older releases of Node can read it.
const { join } = require('node:path');
const { runOnNode24 } = require('../node-24.cjs');

runOnNode24(join(__dirname, 'main.ts'), process.argv.slice(2));
