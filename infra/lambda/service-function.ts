import { Aws, type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionSpec } from '../service/operations.ts';
import type { StageSettings } from '../settings/stage-settings.ts';
import { bundling } from './bundling.ts';
import { LiveAlias } from './live-alias.ts';

export interface FunctionLimits {
  timeout: Duration;
  /** Whether it streams its responses. Then clients decide how long it runs. */
  streams: boolean;
  reservedConcurrency?: number | undefined;
  /** The environment variables that tell the function of its limits. */
  environment?: Record<string, string>;
}

interface ServiceFunctionProps {
  spec: FunctionSpec;
  /** The one table on which the function works. */
  table: TableV2;
  environment: Record<string, string>;
  limits: FunctionLimits;
  settings: StageSettings;
}

/**
 * A Lambda function of the service, with a role that allows logs, traces and one action on one
 * table.
 */
export class ServiceFunction extends NodejsFunction {
  declare readonly timeout: Duration;
  /** The alias to invoke. It refers to the version that traffic has shifted to. */
  readonly liveAlias: LiveAlias;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { spec, limits, settings } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = addRole(scope, id, { ...props, logGroup });

    super(scope, id, {
      description: spec.description,
      entry: `${import.meta.dirname}/../../functions/${spec.entryPoint}.ts`,
      environment: {
        ...props.environment,
        ...limits.environment,
        AWS_ENDPOINT_URL_DYNAMODB: `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      },
      timeout: limits.timeout,
      reservedConcurrentExecutions: limits.reservedConcurrency,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      role,
      // Old versions are kept, so that an operator can go back to one by hand.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: settings.logLevel,
      tracing: Tracing.ACTIVE,
      // This option would set an environment variable that only version 2 of the SDK reads.
      awsSdkConnectionReuse: false,
      bundling,
    });
    nameBucketLikeAnyRegion(this);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'A function may send traces to X-Ray, which has no resources that a policy could name.',
    });
    this.liveAlias = new LiveAlias(scope, `${id}Live`, { lambda: this, streams: limits.streams });
  }
}

const addRole = (
  scope: Construct,
  id: string,
  { spec, table, logGroup }: ServiceFunctionProps & { logGroup: LogGroup },
): Role => {
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  logGroup.grantWrite(role);
  role.addToPolicy(new PolicyStatement({ actions: [spec.action], resources: [table.tableArn] }));
  return role;
};

/**
 * Names the bucket of the function's code by the same text with and without an `env` of the stage,
 * because the version's logical id contains a hash of it, and Lambda publishes no second version of
 * the same code.
 */
const nameBucketLikeAnyRegion = (lambda: NodejsFunction): void => {
  const { bootstrapQualifier } = Stack.of(lambda).synthesizer;
  (lambda.node.defaultChild as CfnFunction).addPropertyOverride('Code.S3Bucket', {
    'Fn::Sub': `cdk-${bootstrapQualifier}-assets-\${AWS::AccountId}-\${AWS::Region}`,
  });
};
