import { openapi } from '../../support/http/openapi.ts';
import type { Json } from '../../support/stack/template.ts';

/** An operation as openapi.yaml describes it. */
export interface DocumentedOperation {
  operationId: string;
  method: string;
  path: string;
  lists: boolean;
  /** What its function is called in the template. */
  functionName: string;
}

/** Whether the successful response of an operation is an array. */
const isArray = ({ responses }: Json): boolean =>
  responses[200].content['application/json'].schema.type === 'array';

export const documentedOperations: DocumentedOperation[] = Object.entries<Json>(
  openapi.paths,
).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    lists: isArray(operation),
    functionName: operation.operationId.replace(/^./, (first: string) => first.toUpperCase()),
  })),
);

/** The paths of openapi.yaml, each with its methods in alphabetical order. */
export const documentedPaths = Object.entries<Json>(openapi.paths).map(([path, methods]) => ({
  path,
  methods: Object.keys(methods)
    .map((method) => method.toUpperCase())
    .sort(),
}));

/** Whatever serves an operation, and the authorizer. */
export const functionNames: string[] = [
  'Authorizer',
  ...documentedOperations.map(({ functionName }) => functionName),
];

/** Whether a function serves an operation that lists. */
export const isList = (name: string): boolean =>
  documentedOperations.some(({ functionName, lists }) => lists && functionName === name);
