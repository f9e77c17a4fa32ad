import { join } from 'node:path';
import { AssetManifestArtifact } from 'aws-cdk-lib/cx-api';
import { stageStack } from './stage-stack.ts';

/** What stands in for the account that a stack is deployed to. */
export const localAccount = { accountId: '000000000000', region: 'us-east-1' };

/** One stack of a synthesized cloud assembly, as CloudFormation would create it. */
export interface SynthesizedStack {
  stackName: string;
  /** Properties of the resources of one type by logical id, their intrinsic functions resolved. */
  resources<Properties>(type: string): Map<string, Properties>;
  /** What `Ref` gives for a resource: the name or id that it would have. */
  ref(logicalId: string): string;
  outputs: Record<string, string>;
  /** The directory that is zipped and uploaded under this key. */
  assetDirectory(s3Key: string): string;
}

interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  Outputs: Record<string, { Value: unknown }>;
}

/** Reads the one stack of a stage from a cloud assembly (`cdk.out`). */
export const readStack = (assemblyDirectory: string, stageName: string): SynthesizedStack => {
  const stack = stageStack(assemblyDirectory, stageName);
  const { stackName, assembly } = stack;
  const template: Template = stack.template;
  const assets = assembly.artifacts.find(AssetManifestArtifact.isAssetManifestArtifact)?.contents.files;
  const { ref, resolve } = resolver(template, stackName);

  return {
    stackName,
    resources: <Properties>(type: string) =>
      new Map(
        Object.entries(template.Resources)
          .filter(([, resource]) => resource.Type === type)
          .map(([logicalId, { Properties = {} }]) => [logicalId, resolve(Properties) as Properties]),
      ),
    ref: (logicalId) => String(ref(logicalId)),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([name, { Value }]) => [name, String(resolve(Value))]),
    ),
    assetDirectory: (s3Key) => {
      const { path } = assets?.[s3Key.replace(/\.zip$/, '')]?.source ?? {};
      if (path === undefined) {
        throw new Error(`${assembly.directory} holds no asset ${s3Key}.`);
      }
      return join(assembly.directory, path);
    },
  };
};

/** Evaluates the intrinsic functions that CDK writes, with local names for what AWS would name. */
const resolver = (template: Template, stackName: string) => {
  const { accountId, region } = localAccount;
  const pseudoParameters: Record<string, string | undefined> = {
    'AWS::AccountId': accountId,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackName': stackName,
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::NoValue': undefined,
  };

  const resource = (logicalId: string) => {
    const { Type, Properties = {} } = template.Resources[logicalId] ?? {};
    if (Type === undefined) {
      throw new Error(`The template refers to ${logicalId}, which it does not define.`);
    }
    return { Type, Properties };
  };

  const ref = (name: string): unknown => {
    if (name in pseudoParameters) {
      return pseudoParameters[name];
    }
    const { Type, Properties } = resource(name);
    switch (Type) {
      case 'AWS::ApiGateway::RestApi':
        return 'local';
      case 'AWS::ApiGateway::Stage':
        return resolve(Properties.StageName);
      case 'AWS::DynamoDB::GlobalTable':
      case 'AWS::Lambda::Function':
        return `${stackName}-${name}`;
      case 'AWS::Lambda::Alias':
        return `arn:aws:lambda:${region}:${accountId}:function:${resolve(Properties.FunctionName)}:${Properties.Name}`;
      default:
        return name;
    }
  };

  const arnPrefixes: Record<string, string> = {
    'AWS::DynamoDB::GlobalTable': `arn:aws:dynamodb:${region}:${accountId}:table/`,
    'AWS::Lambda::Function': `arn:aws:lambda:${region}:${accountId}:function:`,
    'AWS::Logs::LogGroup': `arn:aws:logs:${region}:${accountId}:log-group:`,
    'AWS::IAM::Role': `arn:aws:iam::${accountId}:role/`,
  };

  const getAtt = ([logicalId, attribute]: [string, string]): string => {
    const { Type } = resource(logicalId);
    if (attribute === 'Arn' && Type in arnPrefixes) {
      return `${arnPrefixes[Type]}${ref(logicalId)}`;
    }
    if (attribute === 'Version') {
      return '1';
    }
    if (attribute === 'RootResourceId') {
      return `${logicalId}.RootResourceId`;
    }
    throw new Error(`The local run has no ${attribute} of a resource of type ${Type}.`);
  };

  const intrinsicFunctions: Record<string, (argument: never) => unknown> = {
    Ref: ref,
    'Fn::GetAtt': getAtt,
    'Fn::Join': ([separator, values]: [string, unknown]) => (resolve(values) as string[]).join(separator),
    'Fn::Select': ([index, values]: [number, unknown]) => (resolve(values) as unknown[])[index],
    'Fn::Split': ([separator, value]: [string, unknown]) => String(resolve(value)).split(separator),
    'Fn::Sub': (text: string) => text.replace(/\$\{([^}]+)\}/g, (_match, name: string) => String(ref(name))),
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(resolve);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const [name = '', argument] = Object.entries(value)[0] ?? [];
    const intrinsic = intrinsicFunctions[name];
    if (intrinsic) {
      return intrinsic(argument as never);
    }
    if (name.startsWith('Fn::')) {
      throw new Error(`The template uses ${name}, which the local run does not evaluate.`);
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
  };
  return { ref, resolve };
};
