import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { matchesArn } from './arn-pattern.ts';

interface Permission {
  Action: string;
  FunctionName: string;
  Principal: string;
  SourceArn: string;
}

/**
 * Returns a check of whether API Gateway may invoke a function for a source: an authorizer or a
 * method of the API.
 */
export const invokePermissions = (
  stack: SynthesizedStack,
): ((functionArn: string, sourceArn: string) => boolean) => {
  const sourcesByFunction = Map.groupBy(
    stack.resources<Permission>('AWS::Lambda::Permission').values().filter(isForApiGateway),
    ({ FunctionName }) => FunctionName,
  );
  return (functionArn, sourceArn) => {
    const permissions = sourcesByFunction.get(functionArn) ?? [];
    return permissions.some(({ SourceArn }) => matchesArn(inLocalPartition(SourceArn), sourceArn));
  };
};

const isForApiGateway = ({ Action, Principal }: Permission): boolean =>
  Action === 'lambda:InvokeFunction' && Principal === 'apigateway.amazonaws.com';

/**
 * Replaces the partition of an ARN. The template may be for another partition, such as aws-cn, but
 * the local run's ARNs are always in aws.
 */
const inLocalPartition = (arn: string): string => arn.replace(/^arn:aws[\w-]*:/, 'arn:aws:');
