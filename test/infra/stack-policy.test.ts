import { describe, expect, test } from '@jest/globals';
import policy from '../../infra/stack-policy.json' with { type: 'json' };
import { templateOf } from '../support/stack/in-process.ts';
import { prod } from '../support/stack/stages.ts';
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

const withDomain = templateOf('prod', {
  ...prod,
  customDomain: {
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1',
  },
});

const typesOf = ({ Resources }: Pick<Template, 'Resources'>): string[] => [
  ...new Set(Object.values(Resources).map(({ Type }) => Type)),
];
const deployed = typesOf({
  Resources: {
    ...templates.staging?.Resources,
    ...templates.prod?.Resources,
    ...withDomain.Resources,
  },
});

/** What clients address, and what holds their data. A new one would have another name, or none. */
const kept = [
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::GlobalTable',
];

describe('the stack policy', () => {
  test.each(kept)('lets a deployment change a %s, and neither replace nor delete it', (type) => {
    expect(deployed).toContain(type);
    expect(allows('Update:Modify', type)).toBe(true);
    expect(allows('Update:Replace', type)).toBe(false);
    expect(allows('Update:Delete', type)).toBe(false);
  });

  test('covers what stays when the stack of prod is deleted, but for a role of the account', () => {
    const resources: Template['Resources'] = templates.prod?.Resources ?? {};
    const retained = Object.fromEntries(
      Object.entries(resources).filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain'),
    );
    expect(typesOf({ Resources: retained }).sort()).toStrictEqual([
      'AWS::ApiGateway::Account',
      'AWS::DynamoDB::GlobalTable',
      'AWS::IAM::Role',
    ]);
  });

  test('stops no release: all other types can be changed, replaced and deleted', () => {
    const others = deployed.filter((type) => !kept.includes(type));
    const actions = ['Update:Modify', 'Update:Replace', 'Update:Delete'] as const;
    const stopped = others.filter((type) => !actions.every((action) => allows(action, type)));
    expect(others).toContain('AWS::ApiGateway::Deployment');
    expect(others).toContain('AWS::Lambda::Version');
    expect(stopped).toStrictEqual([]);
  });
});

test.each([
  { stageName: 'prod', isHeldOff: true },
  { stageName: 'staging', isHeldOff: false },
])(
  'cdk destroy of $stageName is held off, by termination protection: $isHeldOff',
  ({ stageName, isHeldOff }) => {
    expect(isProtected(stageName)).toBe(isHeldOff);
  },
);
