import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';

/** Whether a string matches a pattern with IAM's wildcards: `*` for any characters, `?` for one. */
export const matchesArn = (pattern: string, arn: string): boolean =>
  new RegExp(
    `^${RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')}$`,
    's',
  ).test(arn);

interface Permission {
  Action: string;
  FunctionName: string;
  Principal: string;
  SourceArn?: string;
}

/**
 * Returns a check of whether API Gateway may invoke a function for a source: an authorizer or a
 * method of the API.
 */
export const invokePermissions = (
  stack: SynthesizedStack,
): ((functionArn: string, sourceArn: string) => boolean) => {
  const permissions = [...stack.resources<Permission>('AWS::Lambda::Permission').values()];
  return (functionArn, sourceArn) =>
    permissions.some(
      ({ Action, FunctionName, Principal, SourceArn = '*' }) =>
        Action === 'lambda:InvokeFunction' &&
        Principal === 'apigateway.amazonaws.com' &&
        FunctionName === functionArn &&
        // The template may be for another partition, such as aws-cn, but the local run's ARNs are
        // always in aws.
        matchesArn(SourceArn.replace(/^arn:aws[\w-]*:/, 'arn:aws:'), sourceArn),
    );
};
