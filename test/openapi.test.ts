import { describe, expect, test } from '@jest/globals';
import { statusOfCode } from '../functions/errors/api-error.ts';
import { openapi } from './support/openapi.ts';
import { resourcesOf, type Template, templates } from './support/synthesized.ts';

interface Method {
  OperationName?: string;
  HttpMethod: string;
  AuthorizationType: string;
  ResourceId: { Ref?: string };
}

/** The operations of a synthesized stack: every method but those that respond that there is none. */
const deployedOperations = (template: Template) => {
  const resources = resourcesOf(template, 'AWS::ApiGateway::Resource');
  const pathOf = (reference: { Ref?: string }): string => {
    const { ParentId, PathPart } = resources[reference.Ref ?? '']?.Properties ?? {};
    return PathPart === undefined ? '' : `${pathOf(ParentId as { Ref?: string })}/${PathPart}`;
  };
  return Object.values(resourcesOf(template, 'AWS::ApiGateway::Method'))
    .map(({ Properties }) => Properties as unknown as Method)
    .filter(({ HttpMethod }) => HttpMethod !== 'ANY')
    .map((method) => [
      method.OperationName,
      method.HttpMethod,
      pathOf(method.ResourceId),
      method.AuthorizationType === 'CUSTOM' ? 'API key' : method.AuthorizationType,
    ])
    .sort();
};

describe('openapi.yaml', () => {
  test.each(Object.keys(templates))('has the operations, paths, methods and security of %s', (stageName) => {
    const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security = openapi.security }]) => [
        operationId,
        method.toUpperCase(),
        `/v1${path}`,
        security.some((requirement) => 'apiKey' in requirement) ? 'API key' : 'NONE',
      ]),
    );
    expect(documented.sort()).toEqual(deployedOperations(templates[stageName] as Template));
    expect(openapi.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  test('has a server for each stage', () => {
    const stages = openapi.servers.map(({ url }) => /^https:\/\/[^/]+\/(\w+)\/v1$/.exec(url)?.[1]);
    expect(stages.sort()).toEqual(Object.keys(templates).sort());
  });

  test('lists every code, and every status that a code can have on an operation', () => {
    expect(openapi.components.schemas.Error?.properties.code?.enum).toEqual(Object.keys(statusOfCode));

    const { path_not_found, method_not_allowed, ...ofOperations } = statusOfCode;
    const { listInventory, updateInventory } = Object.fromEntries(
      Object.values(openapi.paths)
        .flatMap((methods) => Object.values(methods))
        .map(({ operationId, responses }) => [operationId, Object.keys(responses).map(Number)]),
    );
    const onlyOfUpdates = [404, 413];
    expect(updateInventory).toEqual([...new Set([200, ...Object.values(ofOperations)])].sort());
    expect(listInventory).toEqual(updateInventory?.filter((status) => !onlyOfUpdates.includes(status)));
  });

  test.each(Object.keys(templates))('shows the errors that API Gateway sends in %s, word by word', (stageName) => {
    const shown: unknown[] = [];
    JSON.stringify(openapi, (key, value) => {
      if (key === 'value') {
        shown.push(value);
      }
      return value;
    });
    const gatewayResponses = resourcesOf(templates[stageName] as Template, 'AWS::ApiGateway::GatewayResponse');
    const sent = Object.values(gatewayResponses)
      .map(({ Properties }) => Properties as unknown as { ResponseTemplates: Record<string, string> })
      .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates['application/json'] ?? ''))
      // A 404 and a 405 belong to no operation; a 413 of an operation comes from its function.
      .filter(({ code }) => !['path_not_found', 'method_not_allowed', 'request_too_large'].includes(code));
    expect(sent.length).toBeGreaterThan(5);
    expect(shown).toEqual(expect.arrayContaining(sent));
  });

  test('marks updateInventory as experimental', () => {
    expect(openapi.paths['/inventory/{petId}']?.patch).toMatchObject({ 'x-stability': 'experimental' });
    expect(openapi.info.version).toBe('1.0.0');
  });
});
