import { Duration } from 'aws-cdk-lib';
import {
  type Authorizer,
  LambdaIntegration,
  type LambdaIntegrationOptions,
  type Method,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { listTimeout } from '../../functions/shared/time-limits.ts';
import type { ServiceFunctions } from '../lambda/service-functions.ts';
import { basePath, type OperationId, operations } from '../service/operations.ts';
import { addFallback } from './fallback-routes.ts';

interface RoutesProps {
  authorizer: Authorizer;
  functions: ServiceFunctions;
  commit: string | undefined;
}

/** The methods of the operations in API Gateway. */
export type Routes = Record<OperationId, Method>;

/** Adds a method for each operation, and responses for all other paths and methods. */
export const addRoutes = (api: RestApi, { authorizer, functions, commit }: RoutesProps): Routes => {
  const add = ({
    operationId,
    method,
    path,
    name,
    streams,
  }: (typeof operations)[number]): Method => {
    const integration = new LambdaIntegration(functions[name].liveAlias, {
      allowTestInvoke: false,
      ...(streams && streamingOptions),
    });
    return api.root
      .resourceForPath(basePath + path)
      .addMethod(method, integration, { operationName: operationId, authorizer });
  };
  const routes = Object.fromEntries(operations.map((each) => [each.operationId, add(each)]));
  for (const [path, ofPath] of Map.groupBy(operations, ({ path }) => path)) {
    const methods = ofPath.map(({ method }) => method);
    addFallback(api.root.resourceForPath(basePath + path), { methods });
  }
  for (const path of pathsAbove(operations.map(({ path }) => basePath + path))) {
    addFallback(api.root.resourceForPath(path), { commit });
  }
  addFallback(api.root.addResource('{proxy+}'), { commit });
  return routes as Routes;
};

/** Returns the paths above others that are none of them. They exist, too. */
const pathsAbove = (paths: string[]): string[] => {
  const above = paths.flatMap((path) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/') || '/');
  });
  return [...new Set(above)].filter((path) => !paths.includes(path));
};

const streamingOptions: LambdaIntegrationOptions = {
  responseTransferMode: ResponseTransferMode.STREAM,
  // It includes the init of a cold start, which the function's own time does not.
  timeout: Duration.millis(listTimeout).plus(Duration.seconds(10)),
};
