import { mendOutput } from './cli/output.ts';
import { runProgram } from './program.ts';

const { argv, env, stdin, stderr } = process;
const stdout = mendOutput(process.stdout);

process.exitCode = await runProgram(argv.slice(2), { stdin, stdout, stderr, env });
