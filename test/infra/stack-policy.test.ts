import { describe, expect, test } from '@jest/globals';
import policy from '../../infra/stack-policy.json' with { type: 'json' };
import { everySetting } from '../support/stack/every-setting.ts';
import { templateOf } from '../support/stack/in-process.ts';
import { isProtected, type Template, templates } from '../support/stack/synthesized.ts';

type Action = 'Update:Modify' | 'Update:Replace' | 'Update:Delete';

/**
 * Whether the policy lets CloudFormation do something to resources of a type, as AWS documents it:
 * what no statement allows is denied, and a denial wins.
 */
const allows = (action: Action, type: string): boolean => {
  const effects = policy.Statement.filter(({ Action, Condition }) => {
    const types = Condition?.StringEquals.ResourceType ?? [type];
    return (
      [Action].flat().some((each) => ['Update:*', action].includes(each)) && types.includes(type)
    );
  }).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const prod = Object.values<Template['Resources'][string]>(templates.prod?.Resources ?? {});
const withEverySetting = Object.values(templateOf('prod', everySetting).Resources);
const deployed = new Set([...prod, ...withEverySetting].map(({ Type }): string => Type));

/** What clients address, and what holds their data. A new one would have another name, or none. */
const kept = [
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::GlobalTable',
];

describe('the stack policy', () => {
  test.each(kept)('lets a deployment change a %s, and neither replace nor delete it', (type) => {
    expect([...deployed]).toContain(type);
    expect(allows('Update:Modify', type)).toBe(true);
    expect(allows('Update:Replace', type)).toBe(false);
    expect(allows('Update:Delete', type)).toBe(false);
  });

  test('stops no release: all other types can be changed, replaced and deleted', () => {
    const others = [...deployed].filter((type) => !kept.includes(type));
    const actions = ['Update:Modify', 'Update:Replace', 'Update:Delete'] as const;
    const stopped = others.filter((type) => !actions.every((action) => allows(action, type)));
    expect(others).toContain('AWS::ApiGateway::Deployment');
    expect(others).toContain('AWS::Lambda::Version');
    expect(stopped).toStrictEqual([]);
  });
});

test('what stays when the stack of prod is deleted is its tables, and the log role of the account', () => {
  const retained = prod.filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
  expect(retained.map(({ Type }) => Type).sort()).toStrictEqual([
    'AWS::ApiGateway::Account',
    'AWS::DynamoDB::GlobalTable',
    'AWS::DynamoDB::GlobalTable',
    'AWS::IAM::Role',
  ]);
});

test('termination protection, and not the policy, holds off cdk destroy: of prod alone', () => {
  expect({ prod: isProtected('prod'), staging: isProtected('staging') }).toStrictEqual({
    prod: true,
    staging: false,
  });
});
