import {
  type Authorizer,
  LambdaIntegration,
  type LambdaIntegrationOptions,
  type Method,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { ServiceFunctions } from '../lambda/service-function.ts';
import {
  basePath,
  functionNameOf,
  type Operation,
  type OperationId,
  operations,
} from '../service/operations.ts';
import type { StageSettings } from '../settings/stage-settings.ts';
import { listIntegrationTimeout } from '../settings/time-limits.ts';
import { addFallback } from './fallback-routes.ts';

export interface RoutesProps {
  authorizer: Authorizer;
  functions: ServiceFunctions;
  settings: StageSettings;
}

/**
 * Adds a method for each operation, and responses for all other paths and methods. Returns the
 * operations' methods.
 */
export const addRoutes = (
  api: RestApi,
  { authorizer, functions, settings }: RoutesProps,
): Record<OperationId, Method> => {
  const routes = operations.map((operation) => {
    const lambda = functions[functionNameOf(operation.operationId)];
    const options = operation.lists ? streamingOptions(settings) : {};
    const integration = new LambdaIntegration(lambda.liveAlias, {
      allowTestInvoke: false,
      ...options,
    });
    const resource = api.root.resourceForPath(basePath + operation.path);
    const method = resource.addMethod(operation.method, integration, {
      operationName: operation.operationId,
      authorizer,
    });
    return [operation.operationId, method] as const;
  });
  for (const path of pathsWithParents()) {
    addFallback(api.root.resourceForPath(path), methodsOf(path));
  }
  addFallback(api.root.addResource('{proxy+}'));
  return Object.fromEntries(routes) as Record<OperationId, Method>;
};

const streamingOptions = (settings: StageSettings): LambdaIntegrationOptions => ({
  responseTransferMode: ResponseTransferMode.STREAM,
  timeout: listIntegrationTimeout(settings),
});

/** Returns the path of each operation and every path above it, up to that of the API itself. */
const pathsWithParents = (): Set<string> => {
  const paths = new Set<string>();
  for (const { path } of operations) {
    const [, ...parts] = `${basePath}${path}`.split('/');
    for (let depth = 0; depth <= parts.length; depth++) {
      paths.add(`/${parts.slice(0, depth).join('/')}`);
    }
  }
  return paths;
};

const methodsOf = (path: string): Operation['method'][] =>
  operations
    .filter((each) => basePath + each.path === path)
    .map(({ method }) => method)
    .sort();
