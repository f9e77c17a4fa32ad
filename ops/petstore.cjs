#!/usr/bin/env node
// CommonJS, so that older releases of Node can read it.
const { join } = require('node:path');

process.argv.splice(2, 0, join(__dirname, 'main.ts'));
require('../node-24.cjs');
