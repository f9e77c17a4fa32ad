import type { Statement } from './account.ts';
import { accountId } from './ministack.ts';
import { pageOf } from './page.ts';

/** Finds the action that a page names, and the resource that it names it for. */
const actionOn = (page: string, action: string): Statement => {
  const { text } = pageOf(page);
  const [, Resource = ''] = new RegExp(`\`${action}\`\\s+on\\s+\`([^\`]+)\``).exec(text) ?? [];
  if (Resource === '') {
    throw new Error(`${page} does not say on which resource ${action} is needed.`);
  }
  return { Effect: 'Allow', Action: action, Resource };
};

/** Returns the permissions that a page names for its commands. */
export const toRun = (page: string): Statement[] => {
  const [, named = ''] = /^These commands need (.*?)\.$/ms.exec(pageOf(page).text) ?? [];
  const actions = named.match(/(?<=`)\w+:\w+(?=`)/g) ?? [];
  return [{ Effect: 'Allow', Action: actions, Resource: '*' }];
};

/** The permissions that docs/reference.md gives to those who deploy. */
export const ofDeployer = [actionOn('docs/reference.md', 'sts:AssumeRole')];

/** Returns the permissions that docs/reference.md gives to the operators of a stage. */
export const ofOperator = (stage: string): Statement[] => {
  const policy = pageOf('docs/reference.md').block('json');
  const values = { REGION: 'us-east-1', ACCOUNT: accountId, STAGE: stage };
  const filled = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    policy,
  );
  return JSON.parse(filled).Statement;
};

const allow = (Action: string[], Resource: string): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

const restored = `arn:aws:dynamodb:us-east-1:${accountId}:table/restored`;
/** Permissions for what docs/stock-and-recovery.md says that a recovery does. */
export const toRecover = [
  allow(['dynamodb:RestoreTableToPointInTime'], `arn:aws:dynamodb:us-east-1:${accountId}:table/*`),
  allow(['dynamodb:DescribeTable', 'dynamodb:Scan', 'dynamodb:DeleteTable'], restored),
];

/** Returns each statement and action of a policy, to take away. */
export const actionsOf = (statements: Statement[]): { sid: string; action: string }[] =>
  statements.flatMap(({ Sid = '', Action }) =>
    [Action].flat().map((action) => ({ sid: Sid, action })),
  );

/** Returns the statements without an action in one of them. */
export const without = (statements: Statement[], sid: string, action: string): Statement[] => {
  const left = statements.map((each) =>
    (each.Sid ?? '') === sid
      ? { ...each, Action: [each.Action].flat().filter((name) => name !== action) }
      : each,
  );
  return left.filter(({ Action }) => Action.length > 0);
};
