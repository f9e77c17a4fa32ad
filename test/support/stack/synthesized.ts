import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from './assembly.ts';
import { type Json, readable, type Template } from './template.ts';

export * from './template.ts';

const templateOf = (stageName: string): Template => {
  const [file = ''] = globSync(`assembly-${stageName}/*.template.json`, { cwd: assembly });
  return JSON.parse(readFileSync(join(assembly, file), 'utf8'));
};

/** The templates by stage name. */
export const templates: Record<string, Template> = {
  staging: templateOf('staging'),
  prod: templateOf('prod'),
};

/** Whether CloudFormation refuses to delete the stack of a stage, which is not in its template. */
export const isProtected = (stageName: string): boolean => {
  const manifest = readFileSync(join(assembly, `assembly-${stageName}/manifest.json`), 'utf8');
  const [stack] = Object.values<Json>(JSON.parse(manifest).artifacts).filter(
    ({ type }) => type === 'aws:cloudformation:stack',
  );
  return stack.properties.terminationProtection ?? false;
};

export const stackOf = (stageName: string) => readable(templates[stageName]);
