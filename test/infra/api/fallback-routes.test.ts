import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { serviceApp } from '../../../infra/service-app.ts';
import { staging } from '../../support/stack/stages.ts';

test('each path without an operation says which commit the API was deployed from', () => {
  const app = serviceApp(
    { staging },
    { context: { 'aws:cdk:bundling-stacks': [] }, commit: 'c0ffee' },
  );
  const stack = app.node.findChild('staging').node.findChild('petstore-inventory');
  const methods = Object.values(
    Template.fromStack(stack as never).findResources('AWS::ApiGateway::Method'),
  );
  const said = methods
    .flatMap(({ Properties }) => Properties.Integration.IntegrationResponses ?? [])
    .filter(({ StatusCode }) => StatusCode === '404')
    .map(({ ResponseParameters }) => ResponseParameters);
  const header = { 'method.response.header.Petstore-Commit': "'c0ffee'" };
  expect(said).toStrictEqual([header, header, header]);
});
