import { Validations } from 'aws-cdk-lib';
import { AuthorizationType, type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorBody, errorBody } from '../../functions/errors/api-error.ts';

/** A mock chooses its request template by the request's content type. Without one, it takes that of JSON. */
const contentTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
  'text/xml',
];

const addAnyMethod = (resource: IResource, body: ErrorBody, allowed?: string): void => {
  const statusCode = String(body.status);
  const allow = 'method.response.header.Allow';
  const integration = new MockIntegration({
    requestTemplates: Object.fromEntries(contentTypes.map((type) => [type, `{"statusCode": ${statusCode}}`])),
    // Other content types get the UNSUPPORTED_MEDIA_TYPE gateway response: 404, even where this one is 405.
    passthroughBehavior: PassthroughBehavior.NEVER,
    integrationResponses: [
      {
        statusCode,
        responseTemplates: { 'application/json': JSON.stringify(body) },
        responseParameters: allowed ? { [allow]: `'${allowed}'` } : {},
      },
    ],
  });
  const method = resource.addMethod('ANY', integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [{ statusCode, responseParameters: allowed ? { [allow]: true } : {} }],
  });
  Validations.of(method).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'A fixed response from a mock, the same with and without a key.',
  });
};

/**
 * Responds 404 on the resource to every method that it lacks, with or without a key. API Gateway's own response would
 * be a 403; for a request with a Bearer header, one that cannot be customised.
 */
export const addPathNotFound = (resource: IResource): void =>
  addAnyMethod(resource, errorBody('path_not_found', 'No operation has this path and method.'));

/** Responds 405 on the resource to every method but the one that it has. */
export const addMethodNotAllowed = (resource: IResource, allowed: string): void =>
  addAnyMethod(resource, errorBody('method_not_allowed', `${allowed} is the only method of this path.`), allowed);
