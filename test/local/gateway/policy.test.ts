import { expect, test } from '@jest/globals';
import {
  allowsInvocation,
  isPolicyDocument,
  type PolicyDocument,
  type Statement,
} from '../../../local/gateway/policy.ts';

const stageArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test';
const getPets = `${stageArn}/GET/pets`;

const allow: Statement = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };
const deny: Statement = { ...allow, Effect: 'Deny' };
const allowOf = (Resource: string | string[]): Statement => ({ ...allow, Resource });

test.each([
  { what: 'an Allow', statements: allow },
  {
    what: 'a Deny of another method',
    statements: [allow, { ...deny, Resource: `${stageArn}/PUT/*` }],
  },
  {
    what: 'wildcards',
    statements: { ...allowOf('arn:*:local/t??t/GET/p*'), Action: '*' },
  },
  {
    what: 'lists of which one item matches',
    statements: {
      ...allowOf([`${stageArn}/GET/dogs`, getPets]),
      Action: ['s3:*', 'execute-api:*'],
    },
  },
])('a policy with $what allows a method', ({ statements }) => {
  expect(allowsInvocation({ Statement: statements }, getPets)).toBe(true);
});

test.each([
  { what: 'no statement', statements: [] },
  { what: 'a Deny beside an Allow', statements: [allow, deny] },
  { what: 'an Allow of another action', statements: { ...allow, Action: 's3:*' } },
  { what: 'only the beginning of its ARN', statements: allowOf(`${stageArn}/GET/pet`) },
  { what: 'only the end of its ARN', statements: allowOf('GET/pets') },
  { what: 'a ? where its ARN has no character', statements: allowOf(`${stageArn}?/*`) },
  { what: 'a . where its ARN has a slash', statements: allowOf(`${stageArn}/GET.pets`) },
])('a policy with $what does not allow a method', ({ statements }) => {
  expect(allowsInvocation({ Statement: statements }, getPets)).toBe(false);
});

test.each<{ what: string; policy: PolicyDocument }>([
  { what: 'one statement', policy: { Statement: allow } },
  { what: 'a list of statements', policy: { Statement: [allow, deny] } },
  { what: 'a version', policy: { Version: '2012-10-17', Statement: allow } },
  { what: 'the old version', policy: { Version: '2008-10-17', Statement: allow } },
])('a policy with $what is valid', ({ policy }) => {
  expect(isPolicyDocument(policy)).toBe(true);
});

test.each<{ what: string; policy: object | undefined }>([
  { what: 'nothing', policy: undefined },
  { what: 'an unknown version', policy: { Version: '2026-11-21', Statement: allow } },
  { what: 'no statement', policy: { Statement: [] } },
  { what: 'another effect', policy: { Statement: { ...allow, Effect: 'allow' } } },
  { what: 'no action', policy: { Statement: { ...allow, Action: undefined } } },
  { what: 'no resource', policy: { Statement: { ...allow, Resource: '' } } },
])('a policy with $what is not valid', ({ policy }) => {
  expect(isPolicyDocument(policy)).toBe(false);
});
