/** A result of a check. Only `stop` forbids the deployment. */
export interface Finding {
  check: string;
  outcome: 'ok' | 'warning' | 'stop';
  /** Tells the operator what was found, and what to do about it. */
  message: string;
}

/** Adds a finding. It belongs to the check that is being made, unless `check` names another. */
export type Report = (outcome: Finding['outcome'], message: string, check?: string) => undefined;

export const reasonOf = (error: unknown): string => {
  const { name, message, code } = error as NodeJS.ErrnoException;
  return `${name === 'Error' ? '' : `${name}: `}${message || code}`.split('\n')[0] ?? name;
};
