import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembly } from './assembly.ts';
import { type Json, readable, type Template } from './template.ts';

export * from './template.ts';

/** Returns the text of each template, bundle and source map in a cloud assembly by path. */
export const readAssembly = (directory: string): Record<string, string> => {
  const files = globSync(['assembly-*/*.template.json', 'asset.*/**/*.js{,.map}'], {
    cwd: directory,
  });
  return Object.fromEntries(
    files.map((file) => [file, readFileSync(join(directory, file), 'utf8')]),
  );
};

const templateFile = (directory: string, stageName: string): string => {
  const [file] = globSync(join(directory, `assembly-${stageName}/*.template.json`));
  if (file === undefined) {
    throw new Error(`${directory} has no template of ${stageName}.`);
  }
  return file;
};

const templateOf = (stageName: string): Template =>
  JSON.parse(readFileSync(templateFile(assembly, stageName), 'utf8'));

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

/** Returns a changed copy of the template of prod. */
export const changedTemplate = (change: (template: Template) => void): Template => {
  const template = structuredClone(templates.prod as Template);
  change(template);
  return template;
};

/**
 * Returns a copy of the cloud assembly whose prod has another template or place, written
 * `account/region`.
 */
export const assemblyWith = (
  template = templates.prod,
  place = 'unknown-account/unknown-region',
): string => {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  cpSync(assembly, directory, { recursive: true });
  const manifest = join(directory, 'assembly-prod/manifest.json');
  writeFileSync(
    manifest,
    readFileSync(manifest, 'utf8').replace('unknown-account/unknown-region', place),
  );
  writeFileSync(templateFile(directory, 'prod'), JSON.stringify(template));
  return directory;
};
