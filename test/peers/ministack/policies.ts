import { blocksOf, textOf } from '../../support/docs/markdown.ts';
import type { Statement } from './account.ts';
import { accountId } from './ministack.ts';

/** Returns the statements of the policy that a section of docs/reference.md gives for a stage. */
const policyOf = (section: string, stage: string): Statement[] => {
  const [, after = ''] = textOf('docs/reference.md').split(`\n### ${section}\n`);
  const [policy = ''] = blocksOf(after, 'json');
  const values = { REGION: 'us-east-1', ACCOUNT: accountId, STAGE: stage };
  const filled = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    policy,
  );
  return JSON.parse(filled).Statement;
};

/** Returns the permissions of those who deploy a stage. */
export const ofDeployer = (stage: string): Statement[] => policyOf('To deploy', stage);

/** Returns the permissions of those who work on the keys and the stock of a stage. */
export const ofOperator = (stage: string): Statement[] => policyOf('Keys and stock', stage);

const allow = (Action: string[], Resource = '*'): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** Permissions for what docs/runbook.md says that a rollback does. */
export const toRollBack = [
  allow([
    'cloudformation:ListStackResources',
    'lambda:ListVersionsByFunction',
    'lambda:UpdateAlias',
  ]),
];

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
