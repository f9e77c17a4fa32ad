import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { readStack } from '../../../infra/assembly/resolved-stack.ts';
import { gateway } from '../../../local/gateway/gateway.ts';
import { isManagement, managementApi } from '../../../local/gateway/management-api.ts';
import { type RestApi, readRestApi } from '../../../local/gateway/rest-api.ts';
import { functionOf } from '../../support/http/fixture-gateway.ts';
import { sendRaw } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { assemblyWith, changedTemplate, resourcesOf } from '../../support/stack/synthesized.ts';

/**
 * Reads the API of prod, with other properties in all resources of one type. Its functions count
 * authorizations.
 */
const read = (type = '', properties: object = {}): RestApi => {
  const template = changedTemplate((changed) => {
    for (const resource of Object.values(resourcesOf(changed, type))) {
      Object.assign(resource.Properties, properties);
    }
  });
  const stack = readStack(assemblyWith(template), 'prod');
  let calls = 0;
  const policyDocument = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
  const lambda = functionOf((event) =>
    event.type === 'TOKEN'
      ? { principalId: 'me', policyDocument, context: { calls: ++calls } }
      : { statusCode: 200, body: event.requestContext.authorizer.calls },
  );
  const ids = stack.resources('AWS::Lambda::Function').keys();
  const arnOf = (id: string) => `arn:aws:lambda:us-east-1:000000000000:function:${stack.ref(id)}`;
  return readRestApi(stack, new Map([...ids].map((id) => [arnOf(id), lambda])));
};

const headers = { Authorization: `Bearer ${createApiKey('prod')}` };
const send = async (api: RestApi, method = 'PATCH') =>
  sendRaw(await serve(gateway(api)), { method, path: '/prod/v1/inventory/1', headers });

describe('an API from a template', () => {
  test('has one authorizer cache, which the management API flushes', async () => {
    const api = read();
    const management = await serve(managementApi(api));
    const cache = `/restapis/${api.id}/stages/prod/cache`;
    const outcomes: unknown[] = [(await send(api)).text];
    for (const [method, path] of [
      ['GET', `${cache}/authorizers`],
      ['DELETE', `${cache}/authorizers`.replace('prod', 'staging')],
      ['DELETE', `${cache}/authorizers`.replace(api.id, 'other')],
      ['DELETE', `${cache}/authorizers`],
    ] as const) {
      const { status } = await sendRaw(management, { method, path });
      outcomes.push([isManagement(path), status, (await send(api)).text]);
    }
    expect(outcomes).toEqual(['1', ...Array(3).fill([true, 404, '1']), [true, 202, '2']]);
  });

  test('throttles each method on its own, and all methods of ANY together', async () => {
    const limit = {
      HttpMethod: '*',
      ResourcePath: '/*',
      ThrottlingRateLimit: 0.001,
      ThrottlingBurstLimit: 1,
    };
    const api = read('AWS::ApiGateway::Stage', { MethodSettings: [limit] });
    const statuses: number[] = [];
    for (const method of ['PATCH', 'DELETE', 'PATCH', 'PUT']) {
      statuses.push((await send(api, method)).status);
    }
    expect(statuses).toEqual([200, 405, 429, 429]);
  });

  test.each([
    ['authorizers/*', 'InternalServerErrorException'],
    ['prod/*', 'AuthorizerConfigurationException'],
  ])(
    'that may invoke its functions only from %s responds with a 500',
    async (source, errorType) => {
      const SourceArn = `arn:aws:execute-api:us-east-1:000000000000:local/${source}`;
      const response = await send(read('AWS::Lambda::Permission', { SourceArn }));
      expect(response).toMatchObject({ status: 500, headers: { 'x-amzn-errortype': errorType } });
    },
  );

  test.each([
    ['TOKEN authorizers of the Authorization header', 'Authorizer', { Type: 'REQUEST' }],
    [
      'TOKEN authorizers of the Authorization header',
      'Authorizer',
      { IdentitySource: 'method.request.header.Key' },
    ],
    [
      'no authorization of type AWS_IAM',
      'Method',
      { AuthorizationType: 'AWS_IAM', AuthorizerId: undefined },
    ],
    ['no integration of type HTTP', 'Method', { Integration: { Type: 'HTTP' } }],
    [
      'uses Fn::ImportValue, which the local run does not evaluate',
      'Stage',
      { StageName: { 'Fn::ImportValue': 'x' } },
    ],
    ['refers to Nobody, which it does not define', 'Stage', { StageName: { Ref: 'Nobody' } }],
    ['no attribute undefined.Arn', 'Stage', { StageName: { 'Fn::GetAtt': ['Nobody', 'Arn'] } }],
    ['not serve the ApiKeyRequired of Api', 'Method', { ApiKeyRequired: true }],
    [
      'not serve the RequestValidatorId of Api',
      'Method',
      { ApiKeyRequired: false, RequestValidatorId: 'x' },
    ],
    ['not serve the BinaryMediaTypes of Api', 'RestApi', { BinaryMediaTypes: ['*/*'] }],
    [
      'not serve the CachingEnabled of Api',
      'Stage',
      { MethodSettings: [{ CachingEnabled: true }] },
    ],
    ['no function arn:other', 'Method', { Integration: { Type: 'AWS_PROXY', Uri: 'arn:other' } }],
  ])('that the local run cannot serve is rejected: %s', (message, type, properties) => {
    expect(() => read(`AWS::ApiGateway::${type}`, properties)).toThrow(message);
  });
});
