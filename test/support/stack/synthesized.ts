import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { assembly } from './assembly.ts';
import { type Json, readable, type Template } from './template.ts';

export * from './template.ts';

const readJson = (pattern: string): Json => {
  const [file = ''] = globSync(pattern, { cwd: assembly });
  return JSON.parse(readFileSync(join(assembly, file), 'utf8'));
};

/** Returns the template of a stage. */
export const templateOf = (stageName: string): Template =>
  readJson(`assembly-${stageName}/*.template.json`);

/** Returns what the assembly says of a stack beside its template. */
const propertiesOf = (stageName: string): Json => {
  const { artifacts } = readJson(`assembly-${stageName}/manifest.json`);
  const stack = ({ type }: Json): boolean => type === 'aws:cloudformation:stack';
  return Object.values<Json>(artifacts).find(stack).properties;
};

/** Whether CloudFormation refuses to delete the stack of a stage. */
export const isProtected = (stageName: string): boolean =>
  propertiesOf(stageName).terminationProtection ?? false;

export const stackNameOf = (stageName: string): string => propertiesOf(stageName).stackName;

const stacks = new Map(stageNames.map((name: string) => [name, readable(templateOf(name))]));

/** Returns the stack of a stage. */
export const stackOf = (stageName: string) => stacks.get(stageName) as ReturnType<typeof readable>;
