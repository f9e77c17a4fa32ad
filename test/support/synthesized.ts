import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from './assembly.ts';
import { readable, type Template } from './template.ts';

export * from './template.ts';

/** What is in a cloud assembly: templates by stage, and the text of each bundle and of its map by path. */
export const readAssembly = (directory: string) => {
  const text = (file: string) => readFileSync(join(directory, file), 'utf8');
  const files = (pattern: string) => globSync(pattern, { cwd: directory });
  const template = (file: string): [string, Template] => [file.replace(/^assembly-|\/.*/g, ''), JSON.parse(text(file))];
  return {
    templates: Object.fromEntries(files('assembly-*/*.template.json').map(template)),
    bundles: Object.fromEntries(files('asset.*/**/*.js{,.map}').map((file) => [file, text(file)])),
  };
};

/** The template of each stage. */
export const { templates } = readAssembly(assembly);

export const stackOf = (stageName: string) => readable(templates[stageName]);
