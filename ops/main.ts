import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before the imports, which it speeds up: they take half of the time of a short command.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'));
const { mendOutput } = await import('./cli/output.ts');
const { runProgram } = await import('./program.ts');

const { argv, env, stdin, stderr } = process;
const stdout = mendOutput(process.stdout);

process.exitCode = await runProgram(argv.slice(2), { stdin, stdout, stderr, env });
