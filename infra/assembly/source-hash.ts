import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The paths in the project that a synthesis reads. npm lists the installed packages in one file.
 */
const sources = [
  'functions',
  'infra',
  'cdk.json',
  'cdk.context.json',
  'tsconfig.json',
  'package.json',
];
const installedPackages = 'node_modules/.package-lock.json';

const filesIn = (path: string): string[] => {
  const found = existsSync(path) ? statSync(path) : undefined;
  const names = found?.isDirectory() ? readdirSync(path) : [];
  return found?.isFile() ? [path] : names.flatMap((name) => filesIn(join(path, name)));
};

/**
 * Returns a hash, in hex, of all that an assembly depends on: project files, the environment and
 * Node's version.
 */
export const sourceHash = (
  project: string,
  environment = process.env,
  nodeVersion = process.version,
): string => {
  const variables = Object.entries(environment).filter(([name]) => /^(CDK|AWS)_/.test(name));
  const hash = createHash('sha256').update(JSON.stringify([nodeVersion, variables.sort()]));
  const files = [...sources, installedPackages].flatMap((source) => filesIn(join(project, source)));
  // ~/.cdk.json holds context that a user sets for every project.
  for (const file of [...files.sort(), ...filesIn(join(environment.HOME ?? '', '.cdk.json'))]) {
    const content = readFileSync(file);
    hash.update(JSON.stringify([file.replace(project, ''), content.length])).update(content);
  }
  return hash.digest('hex');
};
