import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../ops/preflight/finding.ts';
import { assembly } from './assembly.ts';
import type { FakeAws } from './fake-aws.ts';
import { temporaryDirectory } from './local-run.ts';
import { ops } from './ops.ts';
import { type Template, templates } from './synthesized.ts';

export const prodStack = 'prod-petstore-inventory';

/** The template of prod, changed. */
export const changedTemplate = (change: (template: Template) => void): Template => {
  const template = structuredClone(templates.prod as Template);
  change(template);
  return template;
};

/** A cloud assembly whose prod has another template. */
export const assemblyWith = (template: Template): string => {
  const directory = mkdtempSync(join(temporaryDirectory, 'assembly-'));
  cpSync(join(assembly, 'assembly-prod'), join(directory, 'assembly-prod'), { recursive: true });
  const manifest = readFileSync(join(assembly, 'assembly-prod/manifest.json'), 'utf8');
  const [, file = ''] = /"templateFile": "(.*?)"/.exec(manifest) ?? [];
  writeFileSync(join(directory, 'assembly-prod', file), JSON.stringify(template));
  return directory;
};

/** A cloud assembly whose prod is tied to an account and a region. */
export const assemblyIn = (place: string): string => {
  const directory = assemblyWith(changedTemplate(() => {}));
  const manifest = join(directory, 'assembly-prod/manifest.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace('unknown-account/unknown-region', place));
  return directory;
};

/** Makes the fake AWS have a stack of prod. */
export const deploy = (aws: FakeAws, template: Template | string, status = 'UPDATE_COMPLETE'): void => {
  const text = typeof template === 'string' ? template : JSON.stringify(template);
  aws.stacks.set(prodStack, { status, template: text });
};

/** Runs the preflight of prod on this assembly, and returns what it finds of one thing. */
export const findingsOf = async (aws: FakeAws, check: string, app = assembly): Promise<string[]> => {
  const { output } = await ops(['preflight', '--stage', 'prod', '--app', app, '--json'], { env: aws.environment });
  const findings = JSON.parse(output) as Finding[];
  return findings.filter((finding) => finding.check === check).map(({ outcome, message }) => `${outcome}: ${message}`);
};
