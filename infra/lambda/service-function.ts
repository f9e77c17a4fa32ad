import { Aws, type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { ILambdaApplication, ILambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, IFunction } from 'aws-cdk-lib/aws-lambda';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageSettings } from '../settings/stage-settings.ts';
import { functionTimeout } from '../settings/time-limits.ts';
import { bundling } from './bundling.ts';
import { LiveAlias } from './live-alias.ts';

export interface ServiceFunctionProps extends NodejsFunctionProps {
  /** Name of the entry point: a file in functions/, without its extension. */
  entryPoint: string;
  /** The one table the function works on, and the one action it may take there. */
  table: TableV2;
  action: `dynamodb:${string}`;
  application: ILambdaApplication;
  settings: StageSettings;
  /** How traffic shifts to a new version. Default: the stage's setting. */
  deploymentConfig?: ILambdaDeploymentConfig;
}

export type ServiceFunctions = Record<
  'Authorizer' | 'ListInventory' | 'UpdateInventory',
  ServiceFunction
>;

/**
 * A Lambda function of the service, with a role that allows logs, traces and one action on one
 * table.
 */
export class ServiceFunction extends NodejsFunction {
  declare readonly timeout: Duration;
  /** The alias to invoke. It refers to the version that traffic has shifted to. */
  readonly liveAlias: IFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { entryPoint, table, action, application, settings, deploymentConfig, ...options } =
      props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    role.addToPolicy(new PolicyStatement({ actions: [action], resources: [table.tableArn] }));

    super(scope, id, {
      timeout: functionTimeout,
      ...options,
      entry: `${import.meta.dirname}/../../functions/${entryPoint}.ts`,
      environment: {
        ...options.environment,
        AWS_ENDPOINT_URL_DYNAMODB: `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      },
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
    // The same text with and without an `env` of the stage, because the version's logical id
    // contains a hash of it, and Lambda publishes no second version of the same code.
    const { bootstrapQualifier } = Stack.of(this).synthesizer;
    (this.node.defaultChild as CfnFunction).addPropertyOverride('Code.S3Bucket', {
      'Fn::Sub': `cdk-${bootstrapQualifier}-assets-\${AWS::AccountId}-\${AWS::Region}`,
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'A function may send traces to X-Ray, which has no resources that a policy could name.',
    });
    this.liveAlias = new LiveAlias(scope, `${id}Live`, {
      lambda: this,
      timeout: this.timeout,
      application,
      deploymentConfig: deploymentConfig ?? settings.deploymentConfig,
    }) as IFunction;
  }
}
