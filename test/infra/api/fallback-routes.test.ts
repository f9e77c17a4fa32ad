import { expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { addFallback } from '../../../infra/api/fallback-routes.ts';
import { templateIn } from '../../support/stack/in-process.ts';
import { readable } from '../../support/stack/template.ts';

/** Returns what an API answers where it has these methods, or none. */
const answerOf = (methods?: string[]) => {
  const stack = new Stack(new App(), 'Stack');
  addFallback(new RestApi(stack, 'Api').root, methods);
  const [{ Integration }] = readable(templateIn(stack)).all('AWS::ApiGateway::Method');
  const [{ ResponseParameters, ResponseTemplates }] = Integration.IntegrationResponses;
  const { status, message } = JSON.parse(ResponseTemplates['application/json']);
  return [status, ResponseParameters['method.response.header.Allow'], message];
};

test.each([
  { methods: undefined, answer: [404, undefined, 'No operation has this path and method.'] },
  { methods: ['GET'], answer: [405, "'GET'", 'This path supports only GET.'] },
  {
    methods: ['PATCH', 'GET'],
    answer: [405, "'GET, PATCH'", 'This path supports only GET, PATCH.'],
  },
])('a path with the methods $methods answers any other with $answer', ({ methods, answer }) => {
  expect(answerOf(methods)).toStrictEqual(answer);
});
