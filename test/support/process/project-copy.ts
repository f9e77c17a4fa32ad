import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';
import { project } from './tools.ts';

const copied = [
  'cdk.json',
  'functions',
  'infra',
  'local',
  'node-24.cjs',
  'openapi.yaml',
  'ops',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

/**
 * Copies what `petstore start` needs of the checkout, so that a test may change it. The packages
 * are links, but what is cached beside them is not shared.
 */
export const projectCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-project-'));
  atEnd(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of copied) {
    cpSync(join(project, name), join(copy, name), { recursive: true });
  }
  mkdirSync(join(copy, 'node_modules'));
  const packages = readdirSync(join(project, 'node_modules')).filter((name) => name !== '.cache');
  for (const name of packages) {
    symlinkSync(join(project, 'node_modules', name), join(copy, 'node_modules', name));
  }
  return copy;
};
