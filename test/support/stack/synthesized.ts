import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { assembly } from './assembly.ts';
import { type Json, readable, type Template } from './template.ts';

export * from './template.ts';

const templateOf = (stageName: string): Template => {
  const [file = ''] = globSync(`assembly-${stageName}/*.template.json`, { cwd: assembly });
  return JSON.parse(readFileSync(join(assembly, file), 'utf8'));
};

/** The templates by stage name. */
export const templates: Record<string, Template> = Object.fromEntries(
  stageNames.map((stageName) => [stageName, templateOf(stageName)]),
);

/** Returns what the assembly says of a stack beside its template. */
const propertiesOf = (stageName: string): Json => {
  const manifest = readFileSync(join(assembly, `assembly-${stageName}/manifest.json`), 'utf8');
  const [stack] = Object.values<Json>(JSON.parse(manifest).artifacts).filter(
    ({ type }) => type === 'aws:cloudformation:stack',
  );
  return stack.properties;
};

/** Whether CloudFormation refuses to delete the stack of a stage. */
export const isProtected = (stageName: string): boolean =>
  propertiesOf(stageName).terminationProtection ?? false;

export const stackNameOf = (stageName: string): string => propertiesOf(stageName).stackName;

const stacks = new Map(stageNames.map((name: string) => [name, readable(templates[name])]));

/** Returns the stack of a stage. */
export const stackOf = (stageName: string) => stacks.get(stageName) as ReturnType<typeof readable>;
