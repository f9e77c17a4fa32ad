import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

export const project = join(import.meta.dirname, '../..');

/** What the tests build with tools, kept from run to run. */
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

/** Makes a directory from a file of pinned versions, unless it was made from the same versions before. */
const made = async (directory: string, versions: string, make: () => Promise<unknown>): Promise<string> => {
  const wanted = readFileSync(join(project, versions), 'utf8');
  const stamp = join(cache, `${versions}.made`);
  if (!existsSync(stamp) || !existsSync(directory) || readFileSync(stamp, 'utf8') !== wanted) {
    await make();
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
  }
  return directory;
};

/** Installs an npm package's dependencies and returns the directory of their programs. */
export const npmPrograms = async (folder: string): Promise<string> => {
  const directory = join(project, folder, 'node_modules/.bin');
  const install = () => outputOf('npm', 'ci', '--ignore-scripts', '--prefix', join(project, folder));
  await made(join(project, folder, 'node_modules'), `${folder}/package-lock.json`, install);
  return directory;
};

/** Installs a requirements.txt into a virtual environment and returns the directory of its programs. */
export const pythonPrograms = (folder: string): Promise<string> => {
  const environment = join(cache, folder, 'python');
  const requirements = join(project, folder, 'requirements.txt');
  return made(join(environment, 'bin'), `${folder}/requirements.txt`, async () => {
    await outputOf('python3', '-m', 'venv', '--clear', environment);
    await outputOf(join(environment, 'bin/pip'), 'install', '--quiet', '--require-hashes', '-r', requirements);
  });
};

const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Copies the dependencies of a pom.xml into a directory and returns a class path of them. */
export const javaClassPath = async (folder: string): Promise<string> => {
  const pom = join(project, folder, 'pom.xml');
  const directory = join(cache, folder, 'java');
  const copy = () =>
    outputOf('mvn', '--quiet', '--batch-mode', '--file', pom, copyDependencies, `-DoutputDirectory=${directory}`);
  return `${await made(directory, `${folder}/pom.xml`, copy)}/*`;
};
