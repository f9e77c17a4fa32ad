import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const project = join(import.meta.dirname, '../../..');

/**
 * The directory for what tests build with tools. It is kept between runs, so that nothing is
 * installed again.
 */
export const cache = join(project, '.cache');

/** Waits for a process to end and returns its exit code, standard output and standard error. */
export const ended = async (
  child: ChildProcess,
): Promise<{ code: number | null; output: string; errors: string }> => {
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  return { code, output, errors };
};

/** Runs a program in the project's root and waits for its end. */
export const runProgram = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  ended(spawn(command, args, { cwd: project, env: { ...process.env, ...env } }));

/** Runs a program and returns all that it prints. Throws unless its exit code is 0. */
export const outputOf = async (command: string, ...args: string[]): Promise<string> => {
  const { code, output, errors } = await runProgram(command, args);
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output}${errors}`);
  }
  return output + errors;
};

/** Installs an npm package's dependencies and returns the directory of their programs. */
export const npmPrograms = async (folder: string): Promise<string> => {
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--prefix',
    join(project, folder),
  ];
  await outputOf('npm', 'install', ...options);
  return join(project, folder, 'node_modules/.bin');
};

/**
 * Installs a requirements.txt into a virtual environment and returns the directory of its programs.
 */
export const pythonPrograms = async (folder: string): Promise<string> => {
  const environment = join(cache, folder, 'python');
  const requirements = join(project, folder, 'requirements.txt');
  await outputOf('python3', '-m', 'venv', environment);
  await outputOf(
    join(environment, 'bin/pip'),
    'install',
    '--quiet',
    '--require-hashes',
    '-r',
    requirements,
  );
  return join(environment, 'bin');
};

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Copies the dependencies of a pom.xml into a directory and returns their class path. */
export const javaClassPath = async (folder: string): Promise<string> => {
  const directory = join(cache, folder, 'java');
  const pom = join(project, folder, 'pom.xml');
  await outputOf(
    'mvn',
    '--quiet',
    '--batch-mode',
    '--file',
    pom,
    copyDependencies,
    `-DoutputDirectory=${directory}`,
  );
  return `${directory}/*`;
};
