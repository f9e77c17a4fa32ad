import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { readStack } from '../../infra/assembly/resolved-stack.ts';
import type { AccessRecord } from '../../local/gateway/access-log.ts';
import { gateway } from '../../local/gateway/gateway.ts';
import { isManagement, managementApi } from '../../local/gateway/management-api.ts';
import { readRestApi } from '../../local/gateway/rest-api.ts';
import { lambdaFunctions } from '../../local/lambda/functions.ts';

type Resources = Record<string, { Type: string; Properties: object }>;

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

/** A Lambda function of the fixture: the source of its handler, and what API Gateway may invoke it from. */
export interface FixtureFunction {
  code: string;
  timeoutSeconds?: number;
  /** Default: all of the API. */
  permittedSource?: string;
}

const apiArn = { 'Fn::Join': ['', ['arn:aws:execute-api:us-east-1:000000000000:', { Ref: 'Api' }, '/']] };

/** What CDK writes for a function and the permission to invoke it. */
const functionResources = (id: string, { timeoutSeconds = 3, permittedSource = '*' }: FixtureFunction): Resources => ({
  [id]: {
    Type: 'AWS::Lambda::Function',
    Properties: { Code: { S3Key: `${id}.zip` }, Handler: 'index.handler', MemorySize: 128, Timeout: timeoutSeconds },
  },
  [`${id}Permission`]: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': [id, 'Arn'] },
      Principal: 'apigateway.amazonaws.com',
      SourceArn: { 'Fn::Join': ['', [apiArn, permittedSource]] },
    },
  },
});

/** The URI that invokes a function. */
export const invocationOf = (id: string) => ({
  'Fn::Join': [
    '',
    ['arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', { 'Fn::GetAtt': [id, 'Arn'] }, '/invocations'],
  ],
});

/** A method that hands its requests to the function `Handler`. */
export const proxyMethod = (resource: object, httpMethod: string, properties: object = {}) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResourceId: resource,
    HttpMethod: httpMethod,
    AuthorizationType: 'NONE',
    Integration: { Type: 'AWS_PROXY', Uri: invocationOf('Handler') },
    ...properties,
  },
});

export const resource = (pathPart: string, parent: object = { 'Fn::GetAtt': ['Api', 'RootResourceId'] }) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { RestApiId: { Ref: 'Api' }, ParentId: parent, PathPart: pathPart },
});

export const tokenAuthorizer = (properties: object = {}) => ({
  Type: 'AWS::ApiGateway::Authorizer',
  Properties: {
    RestApiId: { Ref: 'Api' },
    Type: 'TOKEN',
    IdentitySource: 'method.request.header.Authorization',
    AuthorizerUri: invocationOf('Authorizer'),
    ...properties,
  },
});

export const gatewayResponse = (type: string, properties: object) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: { RestApiId: { Ref: 'Api' }, ResponseType: type, ...properties },
});

/** Serves an API of the given resources at stage `test` on a free port and returns its URL, `/test` included. */
export const serveFixture = async (
  functions: Record<string, FixtureFunction>,
  resources: Resources,
  stage: object = {},
  log?: (record: AccessRecord) => void,
): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-fixture-'));
  closing.push(() => rmSync(directory, { recursive: true }));
  const assembly = join(directory, 'assembly-test');
  const files: Record<string, object> = {};
  for (const [id, { code }] of Object.entries(functions)) {
    mkdirSync(join(assembly, id), { recursive: true });
    writeFileSync(join(assembly, id, 'index.js'), code);
    files[id] = { source: { path: id }, destinations: {} };
  }
  const template = {
    Resources: {
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: {} },
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'test', ...stage } },
      ...Object.assign({}, ...Object.entries(functions).map(([id, fixture]) => functionResources(id, fixture))),
      ...resources,
    },
    Outputs: {},
  };
  const version = '55.0.0';
  const manifest = {
    version,
    artifacts: {
      stack: {
        type: 'aws:cloudformation:stack',
        environment: 'aws://unknown-account/unknown-region',
        properties: { stackName: 'fixture', templateFile: 'template.json' },
      },
      assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
    },
  };
  writeFileSync(join(assembly, 'template.json'), JSON.stringify(template));
  writeFileSync(join(assembly, 'assets.json'), JSON.stringify({ version, files }));
  writeFileSync(join(assembly, 'manifest.json'), JSON.stringify(manifest));

  const stack = readStack(directory, 'test');
  const lambdas = lambdaFunctions(stack, 'http://127.0.0.1:1', () => {});
  closing.push(() => lambdas.forEach((lambda) => void lambda.close()));
  const restApi = readRestApi(stack, lambdas);
  const api = gateway(restApi, log);
  const management = managementApi(restApi);
  const server = createServer((message, response) =>
    (isManagement(message.url ?? '') ? management : api)(message, response),
  ).listen(0, '127.0.0.1');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/test`;
};

/** A function that returns the value of an expression, of which `event` may be a part. */
export const returning = (result: string) => ({
  Handler: { code: `exports.handler = async (event) => (${result});` },
});

export const oneResource = { Pets: resource('pets'), Method: proxyMethod({ Ref: 'Pets' }, 'ANY') };

/** Serves one resource, /pets, whose handler returns the value of an expression. */
export const servePets = (result: string, more: object = {}) =>
  serveFixture(returning(result), { ...oneResource, ...more });

/** The response to a request whose function has failed. */
export const internalServerError = { status: 502, body: { message: 'Internal server error' } };
