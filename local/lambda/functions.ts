import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { localCredentials } from '../tables/tables.ts';
import { type InspectedFunction, inspectedFunction } from './inspected-function.ts';
import { type LambdaFunction, lambdaFunction } from './lambda-function.ts';

interface FunctionProperties {
  Code: { S3Key: string };
  Handler: string;
  Environment?: { Variables: Record<string, string> };
  LoggingConfig: { LogFormat: string; ApplicationLogLevel: string; LogGroup: string };
  MemorySize: number;
  ReservedConcurrentExecutions?: number;
  Timeout: number;
}

interface FunctionsProps {
  stack: SynthesizedStack;
  /** URL of the DynamoDB API that the functions use. */
  dynamodbEndpoint: string;
  /** Called with each line that a function prints. */
  log: (line: string) => void;
  /**
   * The port of the first function's inspector, of which the others take the next ones; 0 picks a
   * free port for each. Default: the functions have no inspectors.
   */
  inspectPort?: number | undefined;
}

/**
 * Creates every function of the stack, with the bundle, environment and limits from the template.
 * Returns them by ARN.
 */
export const lambdaFunctions = (
  props: FunctionsProps,
): Map<string, LambdaFunction & Partial<InspectedFunction>> => {
  const { stack, log, inspectPort } = props;
  const { accountId, region } = stack.account;
  const functions = stack.resources<FunctionProperties>('AWS::Lambda::Function');
  return new Map(
    [...functions].map(([logicalId, properties], index) => {
      const name = stack.ref(logicalId);
      const functionArn = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
      const options = {
        functionArn,
        environment: environmentOf(props, name, properties),
        timeoutSeconds: properties.Timeout,
        reservedConcurrency: properties.ReservedConcurrentExecutions,
        log,
      };
      const lambda =
        inspectPort === undefined
          ? lambdaFunction(options)
          : inspectedFunction(options, inspectPort && inspectPort + index);
      return [functionArn, lambda];
    }),
  );
};

/** Returns the environment variables that Lambda gives the function. */
const environmentOf = (
  { stack, dynamodbEndpoint }: FunctionsProps,
  name: string,
  properties: FunctionProperties,
): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TZ: ':UTC',
  LANG: 'en_US.UTF-8',
  _HANDLER: properties.Handler,
  LAMBDA_TASK_ROOT: stack.assetDirectory(properties.Code.S3Key),
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
  AWS_LAMBDA_LOG_GROUP_NAME: properties.LoggingConfig.LogGroup,
  AWS_LAMBDA_LOG_FORMAT: properties.LoggingConfig.LogFormat,
  AWS_LAMBDA_LOG_LEVEL: properties.LoggingConfig.ApplicationLogLevel,
  AWS_REGION: stack.account.region,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  ...properties.Environment?.Variables,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
});
