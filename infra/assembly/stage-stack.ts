import { join } from 'node:path';
import { CloudAssembly, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

/**
 * Returns the stack of a stage in a cloud assembly (`cdk.out`). Throws an ENOENT error if the
 * assembly lacks it.
 */
export const stageStack = (
  assemblyDirectory: string,
  stageName: string,
): CloudFormationStackArtifact => {
  try {
    const assembly = new CloudAssembly(join(assemblyDirectory, `assembly-${stageName}`));
    return assembly.getStackByName(`${stageName}-petstore-inventory`);
  } catch (cause) {
    const reason = `${assemblyDirectory} holds no synthesized stage ${stageName}.`;
    const message = `${reason} npx cdk synth writes one.`;
    throw Object.assign(new Error(message, { cause }), { code: 'ENOENT' });
  }
};
