import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembly } from './assembly.ts';

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

export interface Synthesis {
  /** By stage. */
  templates: Record<string, Template>;
  /** The text of each bundle and of its map, by path within the assembly. */
  bundles: Record<string, string>;
  /** What the checks of the AWS Solutions pack found: rule and construct. */
  violations: string[];
  /** What the command printed. */
  output: string;
}

interface ValidationReport {
  pluginReports: {
    pluginName: string;
    violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[];
  }[];
}

/** What is in a cloud assembly. */
export const readAssembly = (directory: string) => {
  const text = (file: string) => readFileSync(join(directory, file), 'utf8');
  const files = (pattern: string) => globSync(pattern, { cwd: directory });
  const report = JSON.parse(text('validation-report.json')) as ValidationReport;
  return {
    templates: Object.fromEntries(
      files('assembly-*/*.template.json').map((file) => [
        /^assembly-(\w+)/.exec(file)?.[1] ?? file,
        JSON.parse(text(file)) as Template,
      ]),
    ),
    bundles: Object.fromEntries(files('asset.*/**/*.js{,.map}').map((file) => [file, text(file)])),
    violations: report.pluginReports.flatMap(({ violations }) =>
      violations.flatMap(({ ruleName, violatingConstructs }) =>
        violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      ),
    ),
  };
};

/** The template of each stage. */
export const { templates } = readAssembly(assembly);

/** What `cdk synth` writes in a copy of the checkout, at another depth, on a machine that knows nothing of AWS. */
export const synthesizeElsewhere = (): Synthesis => {
  const home = mkdtempSync(join(tmpdir(), 'petstore-synth-'));
  try {
    const checkout = join(home, 'functions/infra/checkout');
    const directory = join(home, 'out');
    mkdirSync(checkout, { recursive: true });
    for (const name of [
      'functions',
      'infra',
      'cdk.json',
      'tsconfig.json',
      'package.json',
      'package-lock.json',
      'require-node-24.cjs',
    ]) {
      cpSync(join(project, name), join(checkout, name), { recursive: true });
    }
    symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'));
    const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
    const { status, stdout, stderr } = spawnSync(process.execPath, [cdk, 'synth', '--quiet', '--output', directory], {
      cwd: checkout,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HOME: home },
      encoding: 'utf8',
    });
    if (status !== 0) {
      throw new Error(stderr);
    }
    return { ...readAssembly(directory), output: stdout + stderr };
  } finally {
    rmSync(home, { recursive: true });
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
