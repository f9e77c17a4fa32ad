import { npxPetstore } from '../cli/command-line.ts';

interface EndOfUpdate {
  message: string;
  /** What to do about it. */
  hint?: string;
}

/** Says what has become of a deployment that was to be stopped, by the status of its stack. */
export const endOfUpdate = (status: string): EndOfUpdate => {
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    return { message: 'Its deployment was stopped and rolled back.' };
  }
  if (status.startsWith('UPDATE_ROLLBACK_') && status.endsWith('_IN_PROGRESS')) {
    return { message: `Its deployment was stopped and is being rolled back (${status}).` };
  }
  if (status === 'UPDATE_COMPLETE' || status === 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS') {
    return {
      message: `Its deployment was not stopped: the stack is ${status}.`,
      hint: 'Unless prod still runs the old version, roll back: docs/roll-back.md.',
    };
  }
  const unknown = status === '' ? 'cannot be read' : `is ${status}`;
  return {
    message: `The stack ${unknown}.`,
    hint: `See what to do: ${npxPetstore} preflight --stage prod`,
  };
};
