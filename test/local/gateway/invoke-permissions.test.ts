import { expect, test } from '@jest/globals';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { invokePermissions } from '../../../local/gateway/invoke-permissions.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:list:live';
const sourceArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test/GET/pets';

const permission = {
  Action: 'lambda:InvokeFunction',
  FunctionName: functionArn,
  Principal: 'apigateway.amazonaws.com',
  SourceArn: sourceArn,
};

const isPermittedBy = (...permissions: object[]): boolean => {
  const resources = () => new Map(permissions.map((one, index) => [`Permission${index}`, one]));
  const stack = { resources } as unknown as SynthesizedStack;
  return invokePermissions(stack)(functionArn, sourceArn);
};

test.each([
  { what: 'no other properties', more: {}, isPermitted: true },
  { what: 'another action', more: { Action: 'lambda:GetFunction' }, isPermitted: false },
  { what: 'another principal', more: { Principal: 's3.amazonaws.com' }, isPermitted: false },
  {
    what: 'another function',
    more: { FunctionName: functionArn.replace('list', 'update') },
    isPermitted: false,
  },
  {
    what: 'the function without its alias',
    more: { FunctionName: functionArn.replace(':live', '') },
    isPermitted: false,
  },
  {
    what: 'another method',
    more: { SourceArn: sourceArn.replace('GET', 'PUT') },
    isPermitted: false,
  },
  {
    what: 'a pattern of its methods',
    more: { SourceArn: sourceArn.replace('GET', '*') },
    isPermitted: true,
  },
  {
    what: 'another partition',
    more: { SourceArn: sourceArn.replace('arn:aws:', 'arn:aws-us-gov:') },
    isPermitted: true,
  },
])('a permission with $what lets a method invoke a function: $isPermitted', (row) => {
  expect(isPermittedBy({ ...permission, ...row.more })).toBe(row.isPermitted);
});

test('one permission of several is enough', () => {
  const other = { ...permission, SourceArn: `${sourceArn}/other` };
  expect(isPermittedBy(other, permission)).toBe(true);
});

test('without a permission, nothing is permitted', () => {
  expect(isPermittedBy()).toBe(false);
});
