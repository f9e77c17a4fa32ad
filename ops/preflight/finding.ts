/** A result of a check. Only `stop` forbids the deployment. */
export interface Finding {
  check: string;
  outcome: 'ok' | 'warning' | 'stop';
  /** Tells the operator what was found, and what to do about it. */
  message: string;
}

/** Adds a finding. It belongs to the check that is being made, unless `check` names another. */
export type Report = (outcome: Finding['outcome'], message: string, check?: string) => void;

/** Returns the first line of what an error says. */
export const reasonOf = (error: unknown): string => {
  const { name, message, code } = error as NodeJS.ErrnoException;
  const [firstLine = ''] = (message || code || '').split('\n');
  return name === 'Error' ? firstLine : `${name}: ${firstLine}`;
};
