import { join } from 'node:path';
import { cache, outputOf, project } from './tools.ts';

const installed = new Map<string, Promise<string>>();

/** Installs something, unless this test file has installed it before. Returns where it is. */
const once = (name: string, install: () => Promise<string>): Promise<string> => {
  const path = installed.get(name) ?? install();
  installed.set(name, path);
  return path;
};

/** Installs a requirements.txt into a virtual environment. Returns its programs' directory. */
export const pythonPrograms = (folder: string): Promise<string> =>
  once(`pip ${folder}`, async () => {
    const environment = join(cache, folder, 'python');
    const requirements = join(project, folder, 'requirements.txt');
    const options = ['--quiet', '--require-hashes', '--requirement', requirements];
    await outputOf('python3', '-m', 'venv', environment);
    await outputOf(join(environment, 'bin/pip'), 'install', ...options);
    return join(environment, 'bin');
  });

const runMaven = (goal: string, ...options: string[]): Promise<string> => {
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
  return outputOf('mvn', '--quiet', '--batch-mode', `${plugin}:${goal}`, ...options);
};

/** Copies what a pom.xml needs except for its tests into a directory. Returns its class path. */
export const javaClassPath = async (pom: string, directory: string): Promise<string> => {
  const options = [`-DoutputDirectory=${directory}`, '-DincludeScope=compile'];
  await runMaven('copy-dependencies', '--file', pom, ...options);
  return `${directory}/*`;
};

/** Copies a jar, named `group:artifact:version`, into a directory. Returns its path. */
export const javaProgram = (coordinates: string, directory: string): Promise<string> =>
  once(`maven ${coordinates}`, async () => {
    const [, artifact, version] = coordinates.split(':');
    await runMaven('copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${directory}`);
    return join(directory, `${artifact}-${version}.jar`);
  });
