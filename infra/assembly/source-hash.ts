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

/** Returns the files that a path stands for: itself, all in the directory, or none. */
const filesIn = (path: string): string[] => {
  if (!existsSync(path)) {
    return [];
  }
  const found = statSync(path);
  if (found.isDirectory()) {
    return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
  }
  return found.isFile() ? [path] : [];
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
