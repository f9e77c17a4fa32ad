import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const project = join(import.meta.dirname, '../..');

/** What the tests build with tools, kept from run to run: what is there is not installed again. */
export const cache = join(project, '.cache');

/** Runs a program in the project's root and waits for its end. */
export const ended = async (command: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(command, args, { cwd: project, env: { ...process.env, ...env } });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, output, errors };
};

/** All that a program prints, if it ends with 0. */
export const outputOf = async (command: string, ...args: string[]): Promise<string> => {
  const { code, output, errors } = await ended(command, args);
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output}${errors}`);
  }
  return output + errors;
};

/** Installs an npm package's dependencies and returns the directory of their programs. */
export const npmPrograms = async (folder: string): Promise<string> => {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', join(project, folder)];
  await outputOf('npm', 'install', ...options);
  return join(project, folder, 'node_modules/.bin');
};

/** Installs a requirements.txt into a virtual environment and returns the directory of its programs. */
export const pythonPrograms = async (folder: string): Promise<string> => {
  const environment = join(cache, folder, 'python');
  const requirements = join(project, folder, 'requirements.txt');
  await outputOf('python3', '-m', 'venv', environment);
  await outputOf(join(environment, 'bin/pip'), 'install', '--quiet', '--require-hashes', '-r', requirements);
  return join(environment, 'bin');
};

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Copies the dependencies of a pom.xml into a directory and returns a class path of them. */
export const javaClassPath = async (folder: string): Promise<string> => {
  const directory = join(cache, folder, 'java');
  const pom = join(project, folder, 'pom.xml');
  await outputOf('mvn', '--quiet', '--batch-mode', '--file', pom, copyDependencies, `-DoutputDirectory=${directory}`);
  return `${directory}/*`;
};
