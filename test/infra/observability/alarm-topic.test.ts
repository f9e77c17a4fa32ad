import { describe, expect, test } from '@jest/globals';
import { resourcesOf, type Template, templates } from '../../support/synthesized.ts';

interface Statement {
  Effect: 'Allow' | 'Deny';
  Principal: '*' | { Service?: string };
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

interface Request {
  service: string;
  action: string;
  resource: unknown;
  context: Record<string, string>;
}

const account = '111111111111';
const conditionValue = (value: unknown) =>
  (value as { Ref?: string }).Ref === 'AWS::AccountId' ? account : String(value);

/** Whether a statement applies to a request, as IAM decides it. */
const applies = (statement: Statement, { service, action, resource, context }: Request): boolean => {
  const operators = Object.entries(statement.Condition ?? {});
  const unknown = operators.find(([operator]) => !['Bool', 'StringEquals'].includes(operator));
  if (unknown) {
    throw new Error(`The condition ${unknown[0]} is not evaluated here.`);
  }
  return (
    (statement.Principal === '*' || statement.Principal.Service === service) &&
    [statement.Action].flat().includes(action) &&
    JSON.stringify(statement.Resource) === JSON.stringify(resource) &&
    operators.every(([, keys]) => Object.entries(keys).every(([key, value]) => context[key] === conditionValue(value)))
  );
};

/** Denied unless allowed, and denied whatever allows it. */
const isAllowed = (statements: Statement[], request: Request): boolean => {
  const effects = statements.filter((statement) => applies(statement, request)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

describe.each(Object.keys(templates))('the topic of the alarms of %s', (stageName) => {
  const template = templates[stageName] as Template;
  const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
  const actions = alarms.flatMap(({ Properties: { AlarmActions = [], OKActions = [] } }) =>
    [AlarmActions, OKActions].flat(),
  );
  const statementsFor = (topic: unknown) =>
    Object.values(resourcesOf(template, 'AWS::SNS::TopicPolicy'))
      .filter(({ Properties }) => JSON.stringify(Properties.Topics).includes(JSON.stringify(topic)))
      .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement);
  const publish = (topic: unknown, changes: Partial<Request> = {}, context = {}) =>
    isAllowed(statementsFor(topic), {
      service: 'cloudwatch.amazonaws.com',
      action: 'sns:Publish',
      resource: topic,
      context: { 'aws:SourceAccount': account, 'aws:SecureTransport': 'true', ...context },
      ...changes,
    });

  test('lets CloudWatch publish for every action of every alarm', () => {
    const topics = Object.keys(resourcesOf(template, 'AWS::SNS::Topic')).map((Ref) => ({ Ref }));
    // All but the three of the deployments, which CodeDeploy looks at.
    expect(actions).toHaveLength(2 * (alarms.length - 3));
    for (const topic of actions) {
      expect(topics).toContainEqual(topic);
      expect(publish(topic)).toBe(true);
    }
  });

  test.each([
    ['in another account', {}, { 'aws:SourceAccount': '222222222222' }],
    ['without TLS', {}, { 'aws:SecureTransport': 'false' }],
    ['as another service', { service: 'events.amazonaws.com' }, {}],
    ['with another action', { action: 'sns:DeleteTopic' }, {}],
  ])('lets nobody publish %s', (_what, changes, context) => {
    expect(publish(actions[0], changes, context)).toBe(false);
  });
});
