import { join } from 'node:path';
import { cache, outputOf, project } from './tools.ts';

/** Installs a requirements.txt into a virtual environment. Returns its programs' directory. */
export const pythonPrograms = async (folder: string): Promise<string> => {
  const environment = join(cache, folder, 'python');
  const requirements = join(project, folder, 'requirements.txt');
  const options = ['--quiet', '--require-hashes', '--requirement', requirements];
  await outputOf('python3', '-m', 'venv', environment);
  await outputOf(join(environment, 'bin/pip'), 'install', ...options);
  return join(environment, 'bin');
};
