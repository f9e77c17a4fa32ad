import { Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { errorBody } from '../../functions/errors/api-error.ts';
import { noSuchOperation } from './gateway-responses.ts';

/**
 * The content types of the mocks' request templates: ours, which also stands for none, and what curl
 * sends.
 */
const contentTypes = ['application/json', 'application/x-www-form-urlencoded'];

/** What a fallback responds: always the same. */
interface FixedResponse {
  body: ReturnType<typeof errorBody>;
  /** Its only header, if it has one. */
  allow?: string;
}

const pathNotFound: FixedResponse = {
  body: errorBody('path_not_found', noSuchOperation),
};

const methodNotAllowed = (methods: string[]): FixedResponse => {
  const allow = methods.toSorted().join(', ');
  return { body: errorBody('method_not_allowed', `This path supports only ${allow}.`), allow };
};

/**
 * Adds responses for all methods that the resource lacks, with or without a key: a 405 if it has
 * methods, else a 404. API Gateway itself would send a 403, which cannot be customized for requests
 * with a Bearer header.
 */
export const addFallback = (resource: IResource, methods?: string[]): void => {
  const { body, allow } = methods === undefined ? pathNotFound : methodNotAllowed(methods);
  const statusCode = String(body.status);
  const header = 'method.response.header.Allow';
  const integration = new MockIntegration({
    requestTemplates: Object.fromEntries(
      contentTypes.map((type) => [type, `{"statusCode": ${statusCode}}`]),
    ),
    // Any other content type gets the UNSUPPORTED_MEDIA_TYPE gateway response: a 404, even on a
    // path with a 405.
    passthroughBehavior: PassthroughBehavior.NEVER,
    integrationResponses: [
      {
        statusCode,
        responseTemplates: { 'application/json': JSON.stringify(body) },
        responseParameters: allow ? { [header]: `'${allow}'` } : {},
      },
    ],
  });
  const method = resource.addMethod('ANY', integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [{ statusCode, responseParameters: allow ? { [header]: true } : {} }],
  });
  Validations.of(method).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'A fixed response from a mock, the same with and without a key.',
  });
};
