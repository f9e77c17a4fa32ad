import { readStack } from '../../infra/assembly/resolved-stack.ts';
import { assembly } from '../support/assembly.ts';

interface FunctionProperties {
  Code: { S3Key: string };
  Environment: { Variables: Record<string, string> };
}

/** The directory that is deployed for the function with a construct id, and its environment. */
export const deployed = (constructId: string): { directory: string; environment: Record<string, string> } => {
  const stack = readStack(assembly, 'staging');
  const functions = [...stack.resources<FunctionProperties>('AWS::Lambda::Function')];
  const [, properties] = functions.find(([logicalId]) => logicalId.startsWith(constructId)) ?? [];
  return {
    directory: stack.assetDirectory(properties?.Code.S3Key ?? constructId),
    environment: properties?.Environment.Variables ?? {},
  };
};
