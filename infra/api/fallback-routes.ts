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
  headers: Record<string, string>;
}

/**
 * It says which commit the API was deployed from, so that the acceptance tests know when a release
 * has reached them.
 */
const pathNotFound = (commit: string | undefined): FixedResponse => ({
  body: errorBody('path_not_found', noSuchOperation),
  headers: commit === undefined ? {} : { 'Petstore-Commit': commit },
});

const methodNotAllowed = (methods: string[]): FixedResponse => {
  const allow = methods.toSorted().join(', ');
  const message = `This path supports only ${allow}.`;
  return { body: errorBody('method_not_allowed', message), headers: { Allow: allow } };
};

interface FallbackProps {
  /** The methods that the resource has. */
  methods?: string[];
  commit?: string | undefined;
}

/**
 * Adds responses for all methods that the resource lacks, with or without a key: a 405 if it has
 * methods, else a 404. API Gateway itself would send a 403, which cannot be customized for requests
 * with a Bearer header.
 */
export const addFallback = (resource: IResource, { methods, commit }: FallbackProps): void => {
  const { body, headers } = methods ? methodNotAllowed(methods) : pathNotFound(commit);
  const statusCode = String(body.status);
  const parameters = <Value>(write: (text: string) => Value): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [
        `method.response.header.${name}`,
        write(text),
      ]),
    );
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
        responseParameters: parameters((text) => `'${text}'`),
      },
    ],
  });
  const method = resource.addMethod('ANY', integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [{ statusCode, responseParameters: parameters(() => true) }],
  });
  Validations.of(method).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'A fixed response from a mock, the same with and without a key.',
  });
};
