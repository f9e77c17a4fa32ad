import { expect, test } from '@jest/globals';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { checkProperties } from '../../../local/gateway/served-properties.ts';

/** Returns a stack whose only resource is called Pets. */
const stackWith = (type: string, properties: object) => {
  const resources = (asked: string) => new Map(asked === type ? [['Pets', properties]] : []);
  return { resources } as unknown as SynthesizedStack;
};

const method = 'AWS::ApiGateway::Method';

test.each([
  { what: 'is known', type: method, properties: { HttpMethod: 'GET' } },
  { what: 'is false', type: method, properties: { ApiKeyRequired: false } },
  { what: 'is a part of an object', type: method, properties: { Integration: { Type: 'MOCK' } } },
  {
    what: 'belongs to an object of which nothing is checked',
    type: method,
    properties: { MethodResponses: [{ Anything: true }] },
  },
  {
    what: 'belongs to a resource that the local run ignores',
    type: 'AWS::SNS::Topic',
    properties: { Anything: true },
  },
])('a property is accepted that $what', ({ type, properties }) => {
  expect(() => checkProperties(stackWith(type, properties))).not.toThrow();
});

test.each([
  {
    type: method,
    properties: { HttpMethod: 'GET', ApiKeyRequired: true },
    named: 'ApiKeyRequired of Pets (AWS::ApiGateway::Method)',
  },
  {
    type: method,
    properties: { Integration: { Type: 'MOCK', CacheNamespace: 'x' } },
    named: 'CacheNamespace of Pets (AWS::ApiGateway::Method.Integration)',
  },
  {
    type: 'AWS::ApiGateway::Stage',
    properties: { MethodSettings: [{ HttpMethod: 'GET' }, { CachingEnabled: true }] },
    named: 'CachingEnabled of Pets (AWS::ApiGateway::Stage.MethodSettings)',
  },
  {
    type: 'AWS::ApiGateway::RestApi',
    properties: { BinaryMediaTypes: ['*/*'] },
    named: 'BinaryMediaTypes of Pets (AWS::ApiGateway::RestApi)',
  },
  {
    type: 'AWS::Lambda::Function',
    properties: { VpcConfig: {} },
    named: 'VpcConfig of Pets (AWS::Lambda::Function)',
  },
])('the unknown $named is an error', ({ type, properties, named }) => {
  const message = `The local run does not serve the ${named}.`;
  expect(() => checkProperties(stackWith(type, properties))).toThrow(message);
});
