import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CloudAssembly, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

/** The one stack of a stage in a cloud assembly (`cdk.out`). Throws an Error that says which is missing. */
export const stageStack = (assemblyDirectory: string, stageName: string): CloudFormationStackArtifact => {
  const directory = join(assemblyDirectory, `assembly-${stageName}`);
  if (!existsSync(join(directory, 'manifest.json'))) {
    throw new Error(`${assemblyDirectory} holds no synthesized stage ${stageName}. npx cdk synth writes one.`);
  }
  const [stack, ...others] = new CloudAssembly(directory).stacks;
  if (!stack || others.length > 0) {
    throw new Error(`${directory} holds ${others.length + (stack ? 1 : 0)} stacks instead of one.`);
  }
  return stack;
};
