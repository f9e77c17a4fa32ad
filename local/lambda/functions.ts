import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { localCredentials } from '../tables/tables.ts';
import { type LambdaFunction, lambdaFunction } from './lambda-function.ts';

interface FunctionProperties {
  Code: { S3Key: string };
  Handler: string;
  Environment?: { Variables: Record<string, string> };
  LoggingConfig?: { LogFormat?: string; ApplicationLogLevel?: string; LogGroup?: string };
  MemorySize: number;
  ReservedConcurrentExecutions?: number;
  Timeout: number;
}

/**
 * Creates every function of the stack, with the bundle and environment from the template. Returns
 * them by ARN.
 */
export const lambdaFunctions = (
  stack: SynthesizedStack,
  dynamodbEndpoint: string,
  log: (line: string) => void,
): Map<string, LambdaFunction> =>
  new Map(
    [...stack.resources<FunctionProperties>('AWS::Lambda::Function')].map(
      ([logicalId, properties]) => {
        const { LoggingConfig: logging, Timeout: timeoutSeconds } = properties;
        const maxInstances = properties.ReservedConcurrentExecutions;
        const name = stack.ref(logicalId);
        const { accountId, region } = stack.account;
        const functionArn = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
        const environment = {
          PATH: process.env.PATH,
          TZ: ':UTC',
          LANG: 'en_US.UTF-8',
          _HANDLER: properties.Handler,
          LAMBDA_TASK_ROOT: stack.assetDirectory(properties.Code.S3Key),
          AWS_LAMBDA_FUNCTION_NAME: name,
          AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
          AWS_LAMBDA_LOG_GROUP_NAME: logging?.LogGroup ?? `/aws/lambda/${name}`,
          AWS_LAMBDA_LOG_FORMAT: logging?.LogFormat,
          AWS_LAMBDA_LOG_LEVEL: logging?.ApplicationLogLevel,
          AWS_REGION: region,
          AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
          ...properties.Environment?.Variables,
          AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
        };
        return [
          functionArn,
          lambdaFunction({ functionArn, environment, timeoutSeconds, maxInstances, log }),
        ];
      },
    ),
  );
