import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from './assembly.ts';
import type { Template } from './template.ts';

export * from './template.ts';

interface ValidationReport {
  pluginReports: { violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[] }[];
}

/**
 * What is in a cloud assembly: templates by stage, the text of each bundle and of its map by path, and what the checks of
 * the AWS Solutions pack found (rule and construct).
 */
export const readAssembly = (directory: string) => {
  const text = (file: string) => readFileSync(join(directory, file), 'utf8');
  const files = (pattern: string) => globSync(pattern, { cwd: directory });
  const template = (file: string): [string, Template] => [file.replace(/^assembly-|\/.*/g, ''), JSON.parse(text(file))];
  const { pluginReports } = JSON.parse(text('validation-report.json')) as ValidationReport;
  return {
    templates: Object.fromEntries(files('assembly-*/*.template.json').map(template)),
    bundles: Object.fromEntries(files('asset.*/**/*.js{,.map}').map((file) => [file, text(file)])),
    violations: pluginReports.flatMap(({ violations }) =>
      violations.flatMap(({ ruleName, violatingConstructs }) =>
        violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      ),
    ),
  };
};

/** The template of each stage. */
export const { templates } = readAssembly(assembly);
