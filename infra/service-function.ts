import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface ServiceFunctionProps {
  /** Name of the entry point: a file in functions/, without its extension. */
  entryPoint: string;
  description: string;
  environment: Record<string, string>;
  /** The one table the function works on, and the one action it may take there. */
  table: TableV2;
  action: `dynamodb:${string}`;
  /** 10 s without it. */
  timeout?: Duration;
}

/** A Lambda function of the service, with a role that allows its logs and one action on one table. */
export class ServiceFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    role.addToPolicy(new PolicyStatement({ actions: [props.action], resources: [props.table.tableArn] }));

    super(scope, id, {
      entry: `${import.meta.dirname}/../functions/${props.entryPoint}.ts`,
      description: props.description,
      environment: props.environment,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      timeout: props.timeout ?? Duration.seconds(10),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Sets an environment variable that only version 2 of the SDK reads.
      awsSdkConnectionReuse: false,
      bundling: {
        // The SDK that the lockfile pins, as ES modules that esbuild can drop the unused parts of.
        bundleAwsSDK: true,
        mainFields: ['module', 'main'],
        // CommonJS, because it loads faster than ESM.
        format: OutputFormat.CJS,
        target: 'node24',
        minify: true,
      },
    });
  }
}
