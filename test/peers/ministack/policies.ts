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
