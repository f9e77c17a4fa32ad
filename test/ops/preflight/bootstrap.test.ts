import { expect, test } from '@jest/globals';
import { awsError } from '../../support/ops/fake-aws.ts';
import { findingsOf } from '../../support/ops/preflight-of-prod.ts';

const run = 'Run: npx cdk bootstrap aws://111122223333/eu-west-1';

test.each([
  {
    what: 'missing',
    reply: awsError('ParameterNotFound', ''),
    finding: `stop: The account and region are not prepared. ${run}`,
  },
  {
    what: 'too old',
    reply: { Parameter: { Value: '22' } },
    finding: `stop: Version 22; 23 is needed. ${run}`,
  },
  {
    what: 'just new enough',
    reply: { Parameter: { Value: '23' } },
    finding: 'ok: Version 23; 23 is needed.',
  },
  {
    what: 'unreadable',
    reply: awsError('AccessDenied', 'not you'),
    finding: 'warning: Could not be checked. AccessDenied: not you',
  },
])('preflight checks a bootstrap stack that is $what', async ({ reply, finding }) => {
  expect(await findingsOf('bootstrap', { replies: { 'ssm GetParameter': reply } })).toBe(finding);
});
