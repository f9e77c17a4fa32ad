import { blocksOf, sectionOf, textOf } from '../../support/docs/markdown.ts';
import type { Statement } from './account.ts';
import { accountId } from './ministack.ts';

const section = (heading: string): string => sectionOf(textOf('docs/reference.md'), heading);

/** Returns the statements of the policy that a section of docs/reference.md gives for a stage. */
const policyOf = (heading: string, stage: string): Statement[] => {
  const [policy = ''] = blocksOf(section(heading), 'json');
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

/** Returns the permissions of those who recover the tables of a stage. */
export const ofRecoverer = (stage: string): Statement[] => [
  ...ofOperator(stage),
  ...policyOf('To recover', stage),
];

/** Returns the permissions of those who roll back, which the page gives as a sentence. */
export const toRollBack = (): Statement[] => {
  const named = section('To roll back').matchAll(/`(\w+:\w+)`/g);
  return [{ Effect: 'Allow', Action: [...named].map(([, name = '']) => name), Resource: '*' }];
};
