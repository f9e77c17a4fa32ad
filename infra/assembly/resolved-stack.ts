import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
  Outputs: Record<string, { Value: unknown }>;
}

interface Manifest {
  artifacts: Record<string, { type: string; properties: Record<string, string> }>;
}

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** Reads the one stack of a stage from a cloud assembly (`cdk.out`). */
export const readStack = (assemblyDirectory: string, stageName: string): SynthesizedStack => {
  const directory = join(assemblyDirectory, `assembly-${stageName}`);
  const artifacts = Object.values(readJson<Manifest>(directory, 'manifest.json').artifacts);
  const file = (type: string, property: string) => {
    const found = artifacts.filter((artifact) => artifact.type === type).map((artifact) => artifact.properties);
    if (found.length !== 1) {
      throw new Error(`${directory} holds ${found.length} artifacts of type ${type}; the local run serves one.`);
    }
    return found[0]?.[property] ?? '';
  };
  const stackName = file('aws:cloudformation:stack', 'stackName');
  const template = readJson<Template>(directory, file('aws:cloudformation:stack', 'templateFile'));
  const assets = readJson<{ files: Record<string, { source: { path: string } }> }>(
    directory,
    file('cdk:asset-manifest', 'file'),
  );
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
      const asset = assets.files[s3Key.replace(/\.zip$/, '')];
      if (!asset) {
        throw new Error(`${directory} holds no asset ${s3Key}.`);
      }
      return join(directory, asset.source.path);
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

  const typeOf = (logicalId: string) => {
    const resource = template.Resources[logicalId];
    if (!resource) {
      throw new Error(`The template refers to ${logicalId}, which it does not define.`);
    }
    return resource.Type;
  };

  const ref = (name: string): unknown => {
    if (name in pseudoParameters) {
      return pseudoParameters[name];
    }
    switch (typeOf(name)) {
      case 'AWS::ApiGateway::RestApi':
        return 'local';
      case 'AWS::ApiGateway::Stage':
        return resolve(template.Resources[name]?.Properties.StageName);
      case 'AWS::DynamoDB::GlobalTable':
      case 'AWS::Lambda::Function':
        return `${stackName}-${name}`;
      case 'AWS::Lambda::Alias': {
        const { FunctionName, Name } = template.Resources[name]?.Properties ?? {};
        return `arn:aws:lambda:${region}:${accountId}:function:${resolve(FunctionName)}:${Name}`;
      }
      default:
        return name;
    }
  };

  const arnPaths: Record<string, string> = {
    'AWS::DynamoDB::GlobalTable': 'dynamodb:*:table/',
    'AWS::Lambda::Function': 'lambda:*:function:',
    'AWS::Logs::LogGroup': 'logs:*:log-group:',
    'AWS::IAM::Role': 'iam:*:role/',
  };

  const getAtt = ([logicalId, attribute]: [string, string]): string => {
    const type = typeOf(logicalId);
    const [service, path] = arnPaths[type]?.split('*:') ?? [];
    if (attribute === 'Arn' && service) {
      return `arn:aws:${service}${region}:${accountId}:${path}${ref(logicalId)}`;
    }
    if (attribute === 'Version') {
      return '1';
    }
    if (attribute === 'RootResourceId') {
      return `${logicalId}.RootResourceId`;
    }
    throw new Error(`The local run has no ${attribute} of a resource of type ${type}.`);
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
