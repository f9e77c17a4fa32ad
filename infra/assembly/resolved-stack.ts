import { join } from 'node:path';
import { AssetManifestArtifact, UNKNOWN_ACCOUNT, UNKNOWN_REGION } from 'aws-cdk-lib/cx-api';
import { stageStack } from './stage-stack.ts';

type Properties = Record<string, unknown>;
type Resources = Record<string, { Type: string; Properties?: Properties }>;

/** One stack of a synthesized cloud assembly, as CloudFormation would create it. */
export type SynthesizedStack = ReturnType<typeof readStack>;

/** Reads the stack of a stage from a cloud assembly (`cdk.out`). */
export const readStack = (assemblyDirectory: string, stageName: string) => {
  const { stackName, assembly, template, environment } = stageStack(assemblyDirectory, stageName);
  const accountId = environment.account.replace(UNKNOWN_ACCOUNT, '000000000000');
  const region = environment.region.replace(UNKNOWN_REGION, 'us-east-1');
  const assets = assembly.artifacts.find(AssetManifestArtifact.isAssetManifestArtifact)?.contents
    .files;
  const resources: Resources = template.Resources;
  const { ref, resolve } = resolver(resources, stackName, accountId, region);

  return {
    stackName,
    /** The account and region of the stage, or placeholders if its `env` does not set them. */
    account: { accountId, region },
    /**
     * Returns the properties of all resources of a type by logical id, with their intrinsic
     * functions resolved.
     */
    resources: <Resolved>(type: string): Map<string, Resolved> => {
      const ofType = Object.entries(resources).filter(([, { Type }]) => Type === type);
      return new Map(
        ofType.map(([logicalId, { Properties = {} }]) => [
          logicalId,
          resolve(Properties) as Resolved,
        ]),
      );
    },
    /** Returns the value of `Ref` for a resource: the name or id that it would have. */
    ref,
    output: (name: string): string => String(resolve(template.Outputs[name].Value)),
    /** Returns the directory whose content is zipped and uploaded under this key. */
    assetDirectory: (s3Key: string): string => {
      const { path } = assets?.[s3Key.replace(/\.zip$/, '')]?.source ?? {};
      if (path === undefined) {
        throw new Error(`${assembly.directory} holds no asset ${s3Key}.`);
      }
      return join(assembly.directory, path);
    },
  };
};

/**
 * Returns evaluators of the templates' intrinsic functions, with local names where AWS would
 * generate names.
 */
const resolver = (resources: Resources, stackName: string, accountId: string, region: string) => {
  const functionArn = (name: string) => `arn:aws:lambda:${region}:${accountId}:function:${name}`;
  const pseudoParameters: Record<string, string> = {
    'AWS::AccountId': accountId,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::URLSuffix': 'amazonaws.com',
  };

  const inStack = (logicalId: string) => `${stackName}-${logicalId}`;
  /**
   * Values of `Ref` by type, and of `Fn::GetAtt` by type and attribute. For other types, `Ref` is
   * the logical id.
   */
  const values: Record<string, (logicalId: string, properties: Properties) => string> = {
    'AWS::ApiGateway::RestApi': () => 'local',
    'AWS::ApiGateway::RestApi.RootResourceId': (logicalId) => `${logicalId}.RootResourceId`,
    'AWS::ApiGateway::Stage': (_id, { StageName }) => String(StageName),
    'AWS::DynamoDB::GlobalTable': inStack,
    'AWS::IAM::Role.Arn': (logicalId) => `arn:aws:iam::${accountId}:role/${logicalId}`,
    'AWS::Lambda::Alias': (_id, { FunctionName, Name }) =>
      functionArn(`${resolve(FunctionName)}:${Name}`),
    'AWS::Lambda::Function': inStack,
    'AWS::Lambda::Function.Arn': (logicalId) => functionArn(inStack(logicalId)),
    'AWS::Lambda::Version.Version': () => '1',
  };
  const ref = (name: string): string => {
    const { Type = '', Properties = {} } = resources[name] ?? {};
    const value = Type === '' ? pseudoParameters[name] : (values[Type]?.(name, Properties) ?? name);
    if (value === undefined) {
      throw new Error(`The template refers to ${name}, which it does not define.`);
    }
    return value;
  };
  const getAtt = ([logicalId, attribute]: [string, string]): string => {
    const name = `${resources[logicalId]?.Type}.${attribute}`;
    const value = values[name]?.(logicalId, {});
    if (value === undefined) {
      throw new Error(`The local run has no attribute ${name}.`);
    }
    return value;
  };

  const intrinsicFunctions: Record<string, (argument: never) => unknown> = {
    Ref: ref,
    'Fn::GetAtt': getAtt,
    'Fn::Join': ([separator, parts]: [string, unknown]) =>
      (resolve(parts) as string[]).join(separator),
    'Fn::Select': ([index, list]: [number, unknown]) => (resolve(list) as unknown[])[index],
    'Fn::Split': ([separator, text]: [string, unknown]) => String(resolve(text)).split(separator),
    'Fn::Sub': (text: string) =>
      text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => ref(name)),
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(resolve);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const [[name, argument] = ['', undefined]] = Object.entries(value);
    const evaluate = intrinsicFunctions[name];
    if (evaluate) {
      return evaluate(argument as never);
    }
    if (name.startsWith('Fn::')) {
      throw new Error(`The template uses ${name}, which the local run does not evaluate.`);
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
  };
  return { ref, resolve };
};
