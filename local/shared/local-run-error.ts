/** Why the local run cannot start, in a sentence for the person who starts it. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
}
