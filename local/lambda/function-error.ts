/** The function threw, timed out, returned too much, or its process ended. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** The event is larger than Lambda accepts. */
export class EventTooLargeError extends FunctionError {}

/**
 * Lambda does not run the function: the caller may not invoke it, or all its instances are busy.
 */
export class NotInvokedError extends FunctionError {}
