import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

/** The stack of one stage in a cloud assembly: what a deployment would make of the stage. */
export interface SynthesizedStack {
  stackName: string;
  template: Template;
  /** The account and region that the stage is tied to, if it is. */
  account: string | undefined;
  region: string | undefined;
  /** Where a bootstrapped account says so, and the version that is needed. */
  bootstrap: { parameterName: string; version: number };
  /** The role that may read the account, with placeholders for partition, account and region. */
  lookupRoleArn: string;
}

interface Manifest {
  artifacts: Record<
    string,
    {
      type: string;
      environment: string;
      properties: {
        stackName: string;
        templateFile: string;
        requiresBootstrapStackVersion: number;
        bootstrapStackVersionSsmParameter: string;
        lookupRole: { arn: string };
      };
    }
  >;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Reads the one stack of a stage from a cloud assembly (`cdk.out`). */
export const readSynthesizedStack = (assemblyDirectory: string, stageName: string): SynthesizedStack => {
  const directory = join(assemblyDirectory, `assembly-${stageName}`);
  if (!existsSync(join(directory, 'manifest.json'))) {
    throw new Error(`${assemblyDirectory} holds no synthesized stage ${stageName}. npx cdk synth writes one.`);
  }
  const { artifacts } = readJson(join(directory, 'manifest.json')) as Manifest;
  const stack = Object.values(artifacts).find(({ type }) => type === 'aws:cloudformation:stack');
  if (!stack) {
    throw new Error(`${directory} holds no stack.`);
  }
  const { environment, properties } = stack;
  const [account, region] = environment
    .replace('aws://', '')
    .split('/')
    .map((name) => (name.startsWith('unknown-') ? undefined : name));
  return {
    stackName: properties.stackName,
    template: readJson(join(directory, properties.templateFile)),
    account,
    region,
    bootstrap: {
      parameterName: properties.bootstrapStackVersionSsmParameter,
      version: properties.requiresBootstrapStackVersion,
    },
    lookupRoleArn: properties.lookupRole.arn,
  };
};
