import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { invokedFunctions } from './invoked-functions.ts';
import { readAuthorizers } from './read-authorizers.ts';
import { readResources } from './read-resources.ts';
import type { GatewayResponse } from './responses/gateway-response.ts';
import type { Resource } from './route.ts';
import { checkProperties } from './served-properties.ts';
import type { MethodSetting } from './throttle.ts';

export interface RestApi {
  id: string;
  accountId: string;
  arn: string;
  stageName: string;
  resources: Resource[];
  /** Format of an access log line, with `$context` variables. */
  accessLogFormat: string;
  /** The customized gateway responses, by response type. */
  gatewayResponses: Map<string, GatewayResponse>;
  flushAuthorizersCache: () => void;
}

interface StageProperties {
  StageName: string;
  AccessLogSetting?: { Format: string };
  MethodSettings?: MethodSetting[];
}

interface RestApiOptions {
  /** Whether an integration may take only as long as on AWS; true by default. */
  hasTimeLimits?: boolean;
}

/**
 * Reads the stack's only REST API.
 * @param functions the stack's functions by ARN
 * @throws Error if the local run cannot serve a part of the API, a function or a table
 */
export const readRestApi = (
  stack: SynthesizedStack,
  functions: Map<string, LambdaFunction>,
  { hasTimeLimits = true }: RestApiOptions = {},
): RestApi => {
  checkProperties(stack);
  const [logicalId] = onlyOne(stack.resources('AWS::ApiGateway::RestApi'), 'REST API');
  const [, stage] = onlyOne(
    stack.resources<StageProperties>('AWS::ApiGateway::Stage'),
    'API stage',
  );
  const { accountId, region } = stack.account;
  const id = stack.ref(logicalId);
  const arn = `arn:aws:execute-api:${region}:${accountId}:${id}`;
  const findFunction = invokedFunctions({ stack, functions, apiArn: arn });
  const authorizers = readAuthorizers(stack, findFunction);
  const resources = readResources({
    stack,
    rootResourceId: `${logicalId}.RootResourceId`,
    stageName: stage.StageName,
    methodSettings: stage.MethodSettings ?? [],
    authorizers,
    findFunction,
    hasTimeLimits,
  });
  return {
    id,
    accountId,
    arn,
    stageName: stage.StageName,
    resources,
    accessLogFormat: stage.AccessLogSetting?.Format ?? '',
    gatewayResponses: readGatewayResponses(stack),
    flushAuthorizersCache: () => {
      for (const authorizer of authorizers.values()) {
        authorizer.flushCache();
      }
    },
  };
};

const onlyOne = <Value>(values: Iterable<Value>, what: string): Value => {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) {
    throw new Error(`The local run serves stacks with one ${what}.`);
  }
  return value;
};

const readGatewayResponses = (stack: SynthesizedStack): Map<string, GatewayResponse> => {
  const responses = stack.resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse');
  return new Map(responses.values().map((response) => [response.ResponseType, response]));
};
