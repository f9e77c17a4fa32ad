import { expect, test } from '@jest/globals';
import {
  allowsInvocation,
  isPolicyDocument,
  type Statement,
} from '../../../local/gateway/policy.ts';

const apiArn = 'arn:aws:execute-api:us-east-1:000000000000:local';
const getPets = `${apiArn}/test/GET/pets`;

const allow = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };
const deny = { ...allow, Effect: 'Deny' };

test.each<{ what: string; statements: Statement | Statement[]; isAllowed: boolean }>([
  { what: 'one Allow', statements: allow, isAllowed: true },
  { what: 'a Deny, which outdoes an Allow', statements: [allow, deny], isAllowed: false },
  { what: 'no statement', statements: [], isAllowed: false },
  {
    what: 'a Deny of another method',
    statements: [allow, { ...deny, Resource: `${apiArn}/test/PUT/*` }],
    isAllowed: true,
  },
  { what: 'another action', statements: { ...allow, Action: 's3:*' }, isAllowed: false },
  {
    what: 'the beginning of the ARN',
    statements: { ...allow, Resource: `${apiArn}/test/GET/pet` },
    isAllowed: false,
  },
  { what: 'the end of the ARN', statements: { ...allow, Resource: 'GET/pets' }, isAllowed: false },
  {
    what: 'a ? for no character',
    statements: { ...allow, Resource: `${apiArn}/tes?t/*` },
    isAllowed: false,
  },
  {
    what: 'a . that stands for itself',
    statements: { ...allow, Resource: `${apiArn}/test/GET.pets` },
    isAllowed: false,
  },
  {
    what: 'wildcards',
    statements: { ...allow, Action: '*', Resource: 'arn:*:local/t??t/GET/p*' },
    isAllowed: true,
  },
  {
    what: 'lists',
    statements: {
      ...allow,
      Action: ['s3:*', 'execute-api:*'],
      Resource: [`${apiArn}/test/GET/dogs`, getPets],
    },
    isAllowed: true,
  },
])('a policy with $what allows a method: $isAllowed', ({ statements, isAllowed }) => {
  expect(allowsInvocation({ Statement: statements }, getPets)).toBe(isAllowed);
});

test.each([
  { what: 'a statement', policy: { Statement: allow }, isValid: true },
  { what: 'statements', policy: { Statement: [allow, deny] }, isValid: true },
  { what: 'a version', policy: { Version: '2012-10-17', Statement: allow }, isValid: true },
  { what: 'the old version', policy: { Version: '2008-10-17', Statement: allow }, isValid: true },
  { what: 'no version', policy: { Version: '2026-11-21', Statement: allow }, isValid: false },
  { what: 'no statement', policy: { Statement: [] }, isValid: false },
  { what: 'another effect', policy: { Statement: { ...allow, Effect: 'allow' } }, isValid: false },
  { what: 'no action', policy: { Statement: { ...allow, Action: undefined } }, isValid: false },
  { what: 'no resource', policy: { Statement: { ...allow, Resource: '' } }, isValid: false },
  { what: 'nothing', policy: undefined, isValid: false },
])('a policy with $what is valid: $isValid', ({ policy, isValid }) => {
  expect(isPolicyDocument(policy as Parameters<typeof isPolicyDocument>[0])).toBe(isValid);
});
