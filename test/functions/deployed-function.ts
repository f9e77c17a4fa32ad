import { readStack } from '../../infra/assembly/resolved-stack.ts';
import { assembly } from '../support/assembly.ts';

/** The directory that is deployed for the function with a construct id. */
export const deployed = (constructId: string): { directory: string } => {
  const stack = readStack(assembly, 'staging');
  const functions = [...stack.resources<{ Code: { S3Key: string } }>('AWS::Lambda::Function')];
  const [, properties] = functions.find(([logicalId]) => logicalId.startsWith(constructId)) ?? [];
  return { directory: stack.assetDirectory(properties?.Code.S3Key ?? constructId) };
};
