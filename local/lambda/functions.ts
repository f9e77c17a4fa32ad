import type { Template } from '../assembly/template.ts';
import { localCredentials, region } from '../shared/account.ts';
import { EmulatedFunction, type LambdaFunction } from './lambda-function.ts';

interface FunctionProperties {
  Code: { S3Key: string };
  Handler: string;
  Environment?: { Variables: Record<string, string> };
  LoggingConfig: { LogFormat: string; LogGroup: string };
  MemorySize: number;
  Timeout: number;
}

interface FunctionsProps {
  template: Template;
  /** URL of the DynamoDB API that the functions use. */
  dynamodbEndpoint: string;
  /** Called with each line that a function prints. */
  log: (line: string) => void;
}

/**
 * Creates every function of the template, with its bundle, environment and timeout. Returns them by
 * logical id.
 */
export const lambdaFunctions = (props: FunctionsProps): Map<string, LambdaFunction> => {
  const { template, log } = props;
  const functions = template.resources<FunctionProperties>('AWS::Lambda::Function');
  return new Map(
    [...functions].map(([id, properties]) => {
      const lambda = new EmulatedFunction({
        name: id,
        environment: environmentOf(props, id, properties),
        timeoutSeconds: properties.Timeout,
        log,
      });
      return [id, lambda];
    }),
  );
};

/** Returns the environment variables that Lambda gives the function. */
const environmentOf = (
  { template, dynamodbEndpoint }: FunctionsProps,
  id: string,
  { Handler, Code, MemorySize, LoggingConfig, Environment }: FunctionProperties,
): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TZ: ':UTC',
  LANG: 'en_US.UTF-8',
  _HANDLER: Handler,
  LAMBDA_TASK_ROOT: template.assetDirectory(Code.S3Key),
  AWS_LAMBDA_FUNCTION_NAME: id,
  AWS_LAMBDA_FUNCTION_VERSION: '1',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
  AWS_LAMBDA_LOG_GROUP_NAME: LoggingConfig.LogGroup,
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  AWS_LAMBDA_LOG_FORMAT: LoggingConfig.LogFormat,
  // Lambda's default.
  AWS_LAMBDA_LOG_LEVEL: 'INFO',
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  ...Environment?.Variables,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
});
