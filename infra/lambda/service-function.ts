import { join } from 'node:path';
import { AssetHashType, Aws, DockerImage, type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { TemplateVariable } from '../../functions/shared/environment.ts';
import { type FunctionSpec, tablesOf } from '../service/operations.ts';
import type { Tables } from '../service/tables.ts';
import type { StageSettings } from '../settings/stage-settings.ts';
import { bundled, writeBundle } from './bundling.ts';
import { LiveAlias } from './live-alias.ts';

/** What a function can read of its environment. */
type Environment = { [Name in TemplateVariable]?: string };

interface ServiceFunctionProps {
  spec: FunctionSpec;
  tables: Tables;
  environment: Environment;
  timeout: Duration;
  settings: StageSettings;
}

/**
 * A Lambda function of the service, with a role that allows logs and its actions on its tables.
 */
export class ServiceFunction extends LambdaFunction {
  /** The alias to invoke. It refers to the version that traffic has shifted to. */
  readonly liveAlias: LiveAlias;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { spec, timeout, settings } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = addRole(scope, id, { ...props, logGroup });

    super(scope, id, {
      description: spec.description,
      code: bundledCode(spec.entryPoint),
      handler: 'index.handler',
      environment: {
        ...props.environment,
        AWS_ENDPOINT_URL_DYNAMODB: `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      },
      timeout,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      role: role.withoutPolicyUpdates(),
      // Old versions are kept: AWS does not say what becomes of requests that still run on one.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    this.liveAlias = new LiveAlias(scope, `${id}Live`, { lambda: this, streams: spec.streams });
  }
}

const functions = join(import.meta.dirname, '../../functions');

/** Returns the bundle of an entry point, which the CDK makes only for stacks that it needs. */
const bundledCode = (entryPoint: string): Code =>
  Code.fromAsset(functions, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The CDK tells the bundles apart by these two, and runs neither, because this works:
      image: DockerImage.fromRegistry('none'),
      command: [entryPoint],
      local: {
        tryBundle: (directory) => {
          writeBundle(directory, bundled(entryPoint));
          return true;
        },
      },
    },
  });

/**
 * Adds the role of a function. Its permissions are a property of it: grants would add them as a
 * resource of a type of which CloudFormation detects no drift, so that nobody could see or revert a
 * change made by hand.
 */
const addRole = (
  scope: Construct,
  id: string,
  { spec, tables, logGroup }: ServiceFunctionProps & { logGroup: LogGroup },
): Role => {
  const statements = [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
    ...tablesOf(spec).map(([name, { actions }]) => allow(actions, tables[name].tableArn)),
  ];
  return new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Permissions: new PolicyDocument({ statements }) },
  });
};

const allow = (actions: readonly string[], resource: string): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources: [resource] });
