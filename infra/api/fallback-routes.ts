import { Validations } from 'aws-cdk-lib';
import { AuthorizationType, type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { errorBody } from '../../functions/errors/api-error.ts';

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

/**
 * Responds on the resource to every method that it lacks, with or without a key: 405 if it has one, else 404. API Gateway's
 * own response would be a 403; for a request with a Bearer header, one that cannot be customized.
 */
export const addFallback = (resource: IResource, allowed?: string): void => {
  const body = allowed
    ? errorBody('method_not_allowed', `${allowed} is the only method of this path.`)
    : errorBody('path_not_found', 'No operation has this path and method.');
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
