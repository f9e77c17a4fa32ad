/** What a check found. Only `stop` forbids the deployment. */
export interface Finding {
  check: string;
  outcome: 'ok' | 'warning' | 'stop';
  /** For the operator: what is the case, and what to do about it. */
  message: string;
}

/** Adds a finding, of the check that is being made unless another is named. */
export type Report = (outcome: Finding['outcome'], message: string, check?: string) => undefined;

export const reasonOf = (error: unknown): string => {
  const { name, message, code } = error as NodeJS.ErrnoException;
  return `${name === 'Error' ? '' : `${name}: `}${message || code}`.split('\n')[0] ?? name;
};
