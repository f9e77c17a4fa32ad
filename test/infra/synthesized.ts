import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

const project = join(import.meta.dirname, '../..');

/** The templates of both stages as `npx cdk synth` writes them on a machine that knows nothing of AWS. */
export const synthesizedTemplates = (): Record<string, Template> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-synth-'));
  try {
    const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
    execFileSync(process.execPath, [cdk, 'synth', '--quiet', '--output', directory], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: directory },
      stdio: 'pipe',
    });
    const files = globSync('assembly-*/*.template.json', { cwd: directory });
    return Object.fromEntries(
      files.map((file) => [
        /^assembly-(\w+)/.exec(file)?.[1] ?? file,
        JSON.parse(readFileSync(join(directory, file), 'utf8')) as Template,
      ]),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** The resources of one type by logical id. */
export const resourcesOf = (template: Template, type: string): Record<string, Resource> =>
  Object.fromEntries(Object.entries(template.Resources).filter(([, resource]) => resource.Type === type));

/** The one logical id that starts with a construct's id and is of a type. */
export const logicalId = (template: Template, type: string, constructId: string): string => {
  const ids = Object.keys(resourcesOf(template, type)).filter((id) =>
    new RegExp(`^${constructId}[0-9A-F]{8}$`).test(id),
  );
  if (ids.length !== 1) {
    throw new Error(`${ids.length} resources of type ${type} are named ${constructId}.`);
  }
  return ids[0] ?? '';
};
