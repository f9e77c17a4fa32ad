import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';

/** IAM's wildcards: `*` for any characters, `?` for one. */
export const matchesArn = (pattern: string, arn: string): boolean =>
  new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')}$`, 's').test(arn);

interface Permission {
  Action: string;
  FunctionName: string;
  Principal: string;
  SourceArn?: string;
}

/** Tells whether API Gateway may invoke a function from a source: an authorizer or a method of the API. */
export const invokePermissions = (stack: SynthesizedStack): ((functionArn: string, sourceArn: string) => boolean) => {
  const permissions = [...stack.resources<Permission>('AWS::Lambda::Permission').values()];
  return (functionArn, sourceArn) =>
    permissions.some(
      ({ Action, FunctionName, Principal, SourceArn = '*' }) =>
        Action === 'lambda:InvokeFunction' &&
        Principal === 'apigateway.amazonaws.com' &&
        FunctionName === functionArn &&
        // Some partitions of AWS, such as that of its regions in China, have another name.
        matchesArn(SourceArn.replace(/^arn:aws[\w-]*:/, 'arn:aws:'), sourceArn),
    );
};
