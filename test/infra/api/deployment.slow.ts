import { expect, test } from '@jest/globals';
import { MockIntegration, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { stackNamed, templateIn } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import { resourcesOf } from '../../support/stack/template.ts';

type Change = (api: RestApi) => unknown;

/** Returns the logical ids of the API's deployments after a change. A new id is deployed. */
const deploymentsAfter = (change: Change, settings = prod): string[] => {
  const stack = stackNamed('prod', settings);
  change(stack.node.findChild('Api') as RestApi);
  return Object.keys(resourcesOf(templateIn(stack), 'AWS::ApiGateway::Deployment'));
};

const noChange: Change = () => {};
const [released] = deploymentsAfter(noChange);

// API Gateway serves what was last deployed, whatever has been changed since.
test.each<{ what: string; change: Change }>([
  {
    what: 'route',
    change: (api) => api.root.addResource('new').addMethod('GET', new MockIntegration()),
  },
  {
    what: 'response of its own',
    change: (api) => api.addGatewayResponse('New', { type: ResponseType.BAD_REQUEST_BODY }),
  },
])('a new $what is deployed', ({ change }) => {
  const deployments = deploymentsAfter(change);
  expect(deployments).toHaveLength(1);
  expect(deployments).not.toContain(released);
});

test('without a change of routes or responses, the API is not deployed again', () => {
  const otherLimits = { ...prod, throttling: { rateLimit: 100, burstLimit: 200 } };
  expect(deploymentsAfter(noChange, otherLimits)).toStrictEqual([released]);
});
