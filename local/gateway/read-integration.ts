import { noTimeLimit } from '../shared/no-time-limit.ts';
import type { Integration } from './integrations/integration.ts';
import { lambdaProxy } from './integrations/lambda-proxy.ts';
import { lambdaStreamingProxy } from './integrations/lambda-streaming-proxy.ts';
import { type MethodResponse, type MockProperties, mock } from './integrations/mock.ts';
import type { FindFunction } from './invoked-functions.ts';

/** API Gateway's default for how long an integration may take. */
const defaultTimeoutMs = 29_000;

export interface IntegrationProperties extends MockProperties {
  Type: string;
  Uri?: string;
  TimeoutInMillis?: number;
  ResponseTransferMode?: string;
}

interface IntegrationProps {
  properties: IntegrationProperties;
  methodResponses: MethodResponse[];
  /** The part of the API that invokes the function, such as `prod/GET/v1/inventory`. */
  source: string;
  findFunction: FindFunction;
  /** Whether the integration may take only as long as on AWS. */
  hasTimeLimits: boolean;
}

/**
 * Reads the integration of a method.
 * @throws Error if the local run does not serve it
 */
export const readIntegration = (props: IntegrationProps): Integration => {
  const { properties, methodResponses, source, findFunction, hasTimeLimits } = props;
  switch (properties.Type) {
    case 'AWS_PROXY': {
      const lambda = findFunction(properties.Uri ?? '', source);
      const { TimeoutInMillis = defaultTimeoutMs } = properties;
      const timeoutMs = hasTimeLimits ? TimeoutInMillis : noTimeLimit * 1000;
      return properties.ResponseTransferMode === 'STREAM'
        ? lambdaStreamingProxy(lambda, timeoutMs)
        : lambdaProxy(lambda, timeoutMs);
    }
    case 'MOCK':
      return mock(properties, methodResponses);
    default:
      throw new Error(`The local run has no integration of type ${properties.Type}.`);
  }
};
