import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CloudAssembly, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

/** The one stack of a stage in a cloud assembly (`cdk.out`). Throws an Error that says which is missing. */
export const stageStack = (assemblyDirectory: string, stageName: string): CloudFormationStackArtifact => {
  const directory = join(assemblyDirectory, `assembly-${stageName}`);
  if (!existsSync(join(directory, 'manifest.json'))) {
    throw new Error(`${assemblyDirectory} holds no synthesized stage ${stageName}. npx cdk synth writes one.`);
  }
  const { stacks } = new CloudAssembly(directory);
  if (stacks.length !== 1) {
    throw new Error(`${directory} holds ${stacks.length} stacks instead of one.`);
  }
  return stacks[0] as CloudFormationStackArtifact;
};
