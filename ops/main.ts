import { runProgram } from './program.ts';

const { argv, env, stdin, stdout, stderr } = process;

process.exitCode = await runProgram(argv.slice(2), { stdin, stdout, stderr, env });
