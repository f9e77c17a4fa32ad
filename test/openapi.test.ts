import { describe, expect, test } from '@jest/globals';
import { statusOfCode } from '../functions/errors/api-error.ts';
import { openapi } from './support/http/openapi.ts';
import { rejectedUpdates } from './support/http/rejections.ts';
import { type Json, stackOf } from './support/stack/synthesized.ts';

const operations = Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

describe('openapi.yaml', () => {
  test.each(['staging', 'prod'])(
    'describes the operations, security and errors of the %s stage',
    (stageName) => {
      const { of, all } = stackOf(stageName);
      const resources = of('AWS::ApiGateway::Resource');
      const pathOf = (reference: string): string => {
        const { ParentId, PathPart } = resources[reference.slice(1, -1)] ?? {};
        return PathPart === undefined ? '' : `${pathOf(ParentId)}/${PathPart}`;
      };
      const deployed = all('AWS::ApiGateway::Method')
        .filter(({ HttpMethod }) => HttpMethod !== 'ANY')
        .map(({ OperationName, HttpMethod, ResourceId, AuthorizationType }) => [
          OperationName,
          `${HttpMethod} ${pathOf(ResourceId)}`,
          AuthorizationType === 'CUSTOM',
        ]);
      const documented = operations.map(
        ({ operationId, method, path, security = openapi.security }) => [
          operationId,
          `${method.toUpperCase()} /v1${path}`,
          security.some((requirement: Json) => 'apiKey' in requirement),
        ],
      );
      expect(documented.sort()).toEqual(deployed.sort());

      const sent = all('AWS::ApiGateway::GatewayResponse')
        .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates['application/json']))
        // No operation documents API Gateway's 404 and 405, and the documented 413 is the
        // function's, not the gateway's.
        .filter(
          ({ code }) =>
            !['path_not_found', 'method_not_allowed', 'request_too_large'].includes(code),
        );
      expect(sent.length).toBeGreaterThan(5);
      const contract = JSON.stringify(openapi);
      expect(sent.filter((body) => !contract.includes(`"value":${JSON.stringify(body)}`))).toEqual(
        [],
      );
    },
  );

  test('has examples of rejected updates exactly as the function sends them', () => {
    const { examples } =
      openapi.paths['/inventory/{petId}'].patch.responses[400].content['application/json'];
    const sent = rejectedUpdates.map(([[status, code, message]]) => ({ code, message, status }));
    const { bad_request: _ofTheGateway, ...ofTheFunction } = examples;
    expect(sent).toEqual(
      expect.arrayContaining(Object.values<Json>(ofTheFunction).map(({ value }) => value)),
    );
  });

  test('has a server for each stage', () => {
    const stages = openapi.servers.map(
      ({ url }: Json) => /^https:\/\/[^/]+\/(\w+)\/v1$/.exec(url)?.[1],
    );
    expect(stages.sort()).toEqual(['prod', 'staging']);
  });

  test('lists every error code, and every status with which each operation can respond', () => {
    expect(openapi.components.schemas.Error.properties.code.enum).toEqual(
      Object.keys(statusOfCode),
    );

    const { path_not_found, method_not_allowed, ...ofOperations } = statusOfCode;
    const statusesOf = (id: string) =>
      Object.keys(operations.find(({ operationId }) => operationId === id)?.responses).map(Number);
    const [listInventory, updateInventory] = ['listInventory', 'updateInventory'].map(statusesOf);
    const onlyOfUpdates = [404, 413];
    expect(updateInventory).toEqual([...new Set([200, ...Object.values(ofOperations)])].sort());
    expect(listInventory).toEqual(
      updateInventory?.filter((status) => !onlyOfUpdates.includes(status)),
    );
  });

  test('marks updateInventory as experimental', () => {
    expect(openapi.paths['/inventory/{petId}'].patch).toMatchObject({
      'x-stability': 'experimental',
    });
  });
});
