export type Properties = Record<string, unknown>;

/** The stack whose template is evaluated. */
export interface StackIdentity {
  stackName: string;
  accountId: string;
  region: string;
}

/** Returns the value of a resource's `Ref` or of one of its attributes. */
type ValueOf = (logicalId: string, properties: Properties) => string;

export const pseudoParameters = ({ accountId, region }: StackIdentity): Record<string, string> => ({
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::URLSuffix': 'amazonaws.com',
});

/**
 * Returns the values of `Ref` by type, and those of `Fn::GetAtt` by type and attribute, with local
 * names where AWS would generate names. For other types, `Ref` is the logical id.
 * @param resolve evaluates the intrinsic functions of a property
 */
export const localValues = (
  { stackName, accountId, region }: StackIdentity,
  resolve: (value: unknown) => unknown,
): Record<string, ValueOf> => {
  const inStack = (logicalId: string) => `${stackName}-${logicalId}`;
  const functionArn = (name: string) => `arn:aws:lambda:${region}:${accountId}:function:${name}`;
  const aliasArn: ValueOf = (_id, { FunctionName, Name }) =>
    functionArn(`${resolve(FunctionName)}:${Name}`);
  return {
    'AWS::ApiGateway::RestApi': () => 'local',
    'AWS::ApiGateway::RestApi.RootResourceId': (logicalId) => `${logicalId}.RootResourceId`,
    'AWS::ApiGateway::Stage': (_id, { StageName }) => String(StageName),
    'AWS::DynamoDB::GlobalTable': inStack,
    'AWS::IAM::Role.Arn': (logicalId) => `arn:aws:iam::${accountId}:role/${logicalId}`,
    'AWS::Lambda::Alias': aliasArn,
    'AWS::Lambda::Function': inStack,
    'AWS::Lambda::Function.Arn': (logicalId) => functionArn(inStack(logicalId)),
    'AWS::Lambda::Version.Version': () => '1',
  };
};
