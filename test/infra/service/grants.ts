import type { Json, readable } from '../../support/stack/template.ts';

/** The one action that a function may take on a table. */
export interface Grant {
  functionName: string;
  /** Without `dynamodb:`. */
  action: string;
  table: string;
}

const nameIn = (reference: string, pattern: RegExp): string => pattern.exec(reference)?.[1] ?? '';

/** Returns what the roles of a stack allow their functions to do to tables. */
export const grantsOf = ({ all }: Pick<ReturnType<typeof readable>, 'all'>): Grant[] =>
  all('AWS::IAM::Policy').flatMap(({ Roles: [role], PolicyDocument }) =>
    PolicyDocument.Statement.filter(({ Action }: Json) => /^dynamodb:/.test(Action)).map(
      ({ Action, Resource }: Json) => ({
        functionName: nameIn(role, /^<(\w+)Role>$/),
        action: nameIn(Action, /^dynamodb:(\w+)$/),
        table: nameIn(Resource, /^<(\w+)Table\.Arn>$/),
      }),
    ),
  );

/** Returns what the functions of a stack do to tables: each action on a table once. */
export const tableActionsOf = (
  stack: Pick<ReturnType<typeof readable>, 'all'>,
): Omit<Grant, 'functionName'>[] => {
  const grants = grantsOf(stack).map(({ action, table }) => ({ action, table }));
  const byName = new Map(grants.map((grant) => [grant.table + grant.action, grant]));
  return [...byName.values()];
};
