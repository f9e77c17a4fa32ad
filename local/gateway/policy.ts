import { matchesArn } from './arn-pattern.ts';

export interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}

export interface PolicyDocument {
  Version?: string;
  Statement: Statement | Statement[];
}

/** Whether a policy lets its principal invoke a method of the API. */
export const allowsInvocation = (policy: PolicyDocument, methodArn: string): boolean => {
  const effects = [policy.Statement]
    .flat()
    .filter(
      ({ Action, Resource }) =>
        matchesAny(Action, 'execute-api:Invoke') && matchesAny(Resource, methodArn),
    )
    .map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const matchesAny = (patterns: string | string[], text: string): boolean =>
  [patterns].flat().some((pattern) => matchesArn(pattern, text));

/** Whether API Gateway accepts a value as a policy. */
export const isPolicyDocument = (
  value: Partial<PolicyDocument> | undefined,
): value is PolicyDocument => {
  const statements = [value?.Statement ?? []].flat();
  return (
    ['2012-10-17', '2008-10-17', undefined].includes(value?.Version) &&
    statements.length > 0 &&
    statements.every(isStatement)
  );
};

const isStatement = ({ Effect, Action, Resource }: Partial<Statement>): boolean =>
  (Effect === 'Allow' || Effect === 'Deny') && Boolean(Action) && Boolean(Resource);
