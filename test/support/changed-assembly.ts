import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from './assembly.ts';
import { temporaryDirectory } from './local-run.ts';
import { type Template, templates } from './synthesized.ts';

/** The template of prod, changed. */
export const changedTemplate = (change: (template: Template) => void): Template => {
  const template = structuredClone(templates.prod as Template);
  change(template);
  return template;
};

/** A cloud assembly whose prod has another template, or is tied to an account and a region. */
export const assemblyWith = (template = templates.prod, place = 'unknown-account/unknown-region'): string => {
  const directory = mkdtempSync(join(temporaryDirectory, 'assembly-'));
  const prod = join(directory, 'assembly-prod');
  cpSync(join(assembly, 'assembly-prod'), prod, { recursive: true });
  const manifest = readFileSync(join(prod, 'manifest.json'), 'utf8');
  writeFileSync(join(prod, 'manifest.json'), manifest.replace('unknown-account/unknown-region', place));
  const [, file = ''] = /"templateFile": "(.*?)"/.exec(manifest) ?? [];
  writeFileSync(join(prod, file), JSON.stringify(template));
  return directory;
};
